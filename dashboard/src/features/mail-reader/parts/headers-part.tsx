import { Table, Text, TextInput } from '@mantine/core'
import type { Email } from '@mayfly-mail/sdk'
import { useState } from 'react'
import { CopyButton } from '../../../ui/copy-button.tsx'
import hidden from '../../../ui/hidden.module.css'
import classes from '../reader.module.css'
import { readerTexts } from '../texts.ts'
import { decodeWords } from './decode-words.ts'

const texts = readerTexts.headers

/** Rows and characters of a value that are shown; the source has all. */
const maxRows = 500
const maxValueLength = 10_000

/** The headers of a mail, decoded, with a filter. */
export function HeadersPart({ headers }: Pick<Email, 'headers'>) {
  const [filter, setFilter] = useState('')
  const all = Object.entries(headers).slice(0, maxRows).map(([name, value]) => [name, decodeWords(value)] as const)
  if (all.length === 0) return <Text size="sm" c="dimmed">{texts.none}</Text>
  const words = filter.trim().toLowerCase()
  const rows = all.filter(([name, value]) => `${name}: ${value}`.toLowerCase().includes(words))
  return (
    <>
      <TextInput
        size="xs" mb="xs" aria-label={texts.filter} placeholder={texts.filter} value={filter}
        onChange={({ currentTarget }) => setFilter(currentTarget.value)}
      />
      {rows.length === 0
        ? <Text size="sm" c="dimmed" role="status">{texts.noMatch}</Text>
        : (
            <Table className={classes['headers']} verticalSpacing={4}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">{texts.name}</Table.Th>
                  <Table.Th scope="col">{texts.value}</Table.Th>
                  <Table.Th scope="col"><span className={hidden['hidden']}>{texts.copyColumn}</span></Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map(([name, value]) => (
                  <Table.Tr key={name}>
                    <Table.Th scope="row">{name}</Table.Th>
                    <Table.Td><bdi>{value.length > maxValueLength ? `${value.slice(0, maxValueLength)}…` : value}</bdi></Table.Td>
                    <Table.Td><CopyButton value={value} label={texts.copy(name)} /></Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
    </>
  )
}
