import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { mayfly } from '../../api/session.ts'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { formatBytes } from '../../ui/format-bytes.ts'
import classes from './reader.module.css'
import { cutCostly } from './html/text-turns.ts'
import { readerTexts as texts } from './texts.ts'

/** The rest is in the download. */
const maxShownBytes = 1024 * 1024

/** The beginning of the mail's source. */
export function SourcePart({ emailId, size }: { emailId: string, size: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.email(emailId), 'source'],
    queryFn: ({ signal }) => readBeginning(emailId, signal),
    staleTime: Infinity,
    gcTime: 0, // it may be large
  })
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows count={3} />
  const shown = cutCostly(data)
  const isCut = shown.length < data.length
  return (
    <>
      {(isCut || size > maxShownBytes) &&
        <Text size="sm" c="dimmed" mb="xs">{texts.cutText(formatBytes(isCut ? shown.length : maxShownBytes))}</Text>}
      <pre className={classes['source']} tabIndex={0} aria-label={texts.source.shown}>{shown}</pre>
    </>
  )
}

async function readBeginning(emailId: string, signal: AbortSignal): Promise<string> {
  const reader = (await mayfly.emails.raw(emailId, { as: 'stream', signal })).getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  while (bytes < maxShownBytes) {
    const { done, value } = await reader.read()
    if (done) return text
    text += decoder.decode(value.subarray(0, maxShownBytes - bytes), { stream: true })
    bytes += value.length
  }
  await reader.cancel()
  return text
}
