import { Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { LoadingRows } from '../../../ui/states.tsx'
import { shownText } from '../html/text-turns.ts'
import type { TextKind } from '../preview-types.ts'
import classes from '../reader.module.css'
import { readerTexts } from '../texts.ts'
import { EventCards } from './event-card.tsx'
import { readTable } from './read-table.ts'

interface TextFileProps {
  file: Blob
  kind: TextKind
  name: string
}

const texts = readerTexts.attachments

/** Bytes of a file that are read. */
const maxBytes = 512 * 1024

/** A file as text: as a table, events, or lines. */
export function TextFile({ file, kind, name }: TextFileProps) {
  const id = useId()
  const { data: text } = useQuery({ queryKey: ['text-file', id], queryFn: () => file.slice(0, maxBytes).text(), gcTime: 0, staleTime: Infinity })
  if (text === undefined) return <LoadingRows count={3} />
  const shown = shownText(kind === 'json' ? formatJson(text) : text)
  const table = kind === 'csv' ? readTable(shown) : undefined
  return (
    <>
      {(file.size > maxBytes || table?.isCut) && <Text size="sm" c="dimmed" mb="xs">{texts.cut}</Text>}
      {kind === 'calendar'
        ? <EventCards calendar={shown} />
        : table ? <Rows rows={table.rows} name={name} /> : <pre className={classes['source']} tabIndex={0} aria-label={name} dir="auto">{shown}</pre>}
    </>
  )
}

/** Levels of JSON that is indented: the spaces of one line grow with them. */
const maxLevels = 50

function formatJson(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return isDeeper(value, maxLevels) ? text : JSON.stringify(value, null, 2)
  } catch {
    return text // is cut, or no JSON
  }
}

const isDeeper = (value: unknown, levels: number): boolean => typeof value === 'object' && value !== null
  && (levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1)))

function Rows({ rows, name }: { rows: string[][], name: string }) {
  const [head = [], ...body] = rows
  return (
    <Table.ScrollContainer minWidth={0} type="native">
      <Table aria-label={texts.table(name)} className={classes['cells']} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>{head.map((cell, index) => <Table.Th key={index} scope="col">{cell || texts.column(index + 1)}</Table.Th>)}</Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {body.map((row, index) =>
            <Table.Tr key={index}>{head.map((_, column) => <Table.Td key={column}><bdi>{row[column]}</bdi></Table.Td>)}</Table.Tr>)}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
