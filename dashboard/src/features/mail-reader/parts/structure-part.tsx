import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { keys } from '../../../api/keys.ts'
import { formatBytes } from '../../../ui/format-bytes.ts'
import { ErrorState, LoadingRows } from '../../../ui/states.tsx'
import { showHidden } from '../format.ts'
import classes from '../reader.module.css'
import { readerTexts } from '../texts.ts'
import { decodeWords } from './decode-words.ts'
import { readSource } from './read-source.ts'
import { readStructure } from './read-structure.ts'
import type { StructurePart as MimePart } from './read-structure.ts'

const texts = readerTexts.structure

const maxReadBytes = 5 * 1024 * 1024

/** The tree of the parts of a mail. */
export function StructurePart({ emailId, size }: { emailId: string, size: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.email(emailId), 'structure'],
    queryFn: async ({ signal }) =>
      readStructure(new TextDecoder('latin1').decode(await readSource(emailId, maxReadBytes, signal))),
    staleTime: Infinity,
  })
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows count={3} />
  return (
    <>
      {size > maxReadBytes && <Text size="sm" c="dimmed" mb="xs">{texts.cut(formatBytes(maxReadBytes))}</Text>}
      <ul className={classes['tree']} aria-label={texts.shown}><PartItem part={data} /></ul>
    </>
  )
}

function PartItem({ part: { type, filename, charset, encoding, disposition, bytes, parts } }: { part: MimePart }) {
  const known = { attachment: texts.attached, inline: texts.inline } as Record<string, string>
  const details = [charset, encoding, known[disposition] ?? '', parts.length > 0 ? '' : texts.encoded(formatBytes(bytes))].filter(Boolean)
  return (
    <li>
      <Text span size="sm" fw={600} ff="monospace">{showHidden(type)}</Text>{' '}
      {filename && <><Text span size="sm"><bdi>{showHidden(decodeWords(filename))}</bdi></Text>{' '}</>}
      <Text span size="xs" c="dimmed">{showHidden(details.join(' · '))}</Text>
      {parts.length > 0 && <ul>{parts.map((part, index) => <PartItem key={index} part={part} />)}</ul>}
    </li>
  )
}
