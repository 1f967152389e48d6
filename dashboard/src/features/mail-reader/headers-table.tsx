import { Table, Text } from '@mantine/core'
import type { Email } from '@mayfly-mail/sdk'
import classes from './reader.module.css'
import { readerTexts } from './texts.ts'

const texts = readerTexts.headers

/** Rows and characters of a value that are shown; the source has all. */
const maxRows = 500
const maxValueLength = 10_000

export function HeadersTable({ headers }: Pick<Email, 'headers'>) {
  const rows = Object.entries(headers).slice(0, maxRows)
  if (rows.length === 0) return <Text size="sm" c="dimmed">{texts.none}</Text>
  return (
    <Table className={classes['headers']} verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr><Table.Th scope="col">{texts.name}</Table.Th><Table.Th scope="col">{texts.value}</Table.Th></Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td><bdi>{value.length > maxValueLength ? `${value.slice(0, maxValueLength)}…` : value}</bdi></Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
