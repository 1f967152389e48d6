import { useQuery } from '@tanstack/react-query'
import { keys } from '../../../api/keys.ts'
import { ErrorState, LoadingRows } from '../../../ui/states.tsx'
import { readerTexts } from '../texts.ts'
import { CodeView } from './code-view.tsx'
import { readSource } from './read-source.ts'

/** The rest is in the download. */
const maxShownBytes = 1024 * 1024

/** The beginning of the mail's source. */
export function SourcePart({ emailId, size }: { emailId: string, size: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.email(emailId), 'source'],
    queryFn: async ({ signal }) => new TextDecoder().decode(await readSource(emailId, maxShownBytes, signal)),
    staleTime: Infinity,
    gcTime: 0, // it may be large
  })
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows count={3} />
  return <CodeView text={data} label={readerTexts.source.shown} copyLabel={readerTexts.source.copy} isCut={size > maxShownBytes} />
}
