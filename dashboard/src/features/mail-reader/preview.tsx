import { Text } from '@mantine/core'
import type { Email } from '@mayfly-mail/sdk'
import { useQuery } from '@tanstack/react-query'
import { use, useCallback, useState } from 'react'
import { keys } from '../../api/keys.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { AttachmentSource } from './attachment-file.ts'
import { TextFile } from './files/text-file.tsx'
import { showHidden } from './format.ts'
import { countPixels, maxPixels } from './html/image-pixels.ts'
import { isRasterType } from './html/image-types.ts'
import { isPdf, textKindOf } from './preview-types.ts'
import classes from './preview.module.css'
import { readerTexts } from './texts.ts'

interface PreviewProps {
  emailId: string
  attachment: Email['attachments'][number]
  onClose: () => void
}

/** Shows an image, a PDF or a text in a dialog. */
export function Preview({ emailId, attachment, onClose }: PreviewProps) {
  const { id, contentType, filename } = attachment
  const name = showHidden(filename)
  const openAttachment = use(AttachmentSource)
  const kind = isRasterType(contentType) || isPdf(contentType) ? undefined : textKindOf(attachment)
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.email(emailId), 'attachment', id],
    queryFn: async ({ signal }) => kind
      ? openAttachment(emailId, id, 'text/plain', signal)
      : withFewPixels(await openAttachment(emailId, id, contentType.toLowerCase(), signal)),
    staleTime: Infinity,
    gcTime: 0, // it may be large
  })
  return (
    <Dialog title={<bdi>{name}</bdi>} size="xl" onClose={onClose}>
      {error
        ? <ErrorState error={error} retry={() => void refetch()} />
        : data === undefined
          ? <LoadingRows count={3} />
          : kind && data ? <TextFile file={data} kind={kind} name={name} /> : <FileView file={data} name={name} />}
    </Dialog>
  )
}

/** @returns null for an image with too many pixels */
async function withFewPixels(loaded: Blob): Promise<Blob | null> {
  if (isPdf(loaded.type)) return loaded
  const url = URL.createObjectURL(loaded)
  const pixels = await countPixels(url, loaded, document)
  URL.revokeObjectURL(url)
  return pixels > maxPixels ? null : loaded
}

function FileView({ file, name }: { file: Blob | null, name: string }) {
  const [hasFailed, setFailed] = useState(false)
  const element = useObjectUrl(file)
  if (!file || hasFailed) return <Text size="sm">{readerTexts.attachments.noPreview}</Text>
  // without a sandbox, in which browsers show no PDF; the type of the file makes it a PDF in any case
  return isPdf(file.type)
    ? <iframe ref={element} title={name} className={classes['pdf']} />
    : <img ref={element} alt={name} className={classes['image']} onError={() => setFailed(true)} />
}

/** @returns a ref for the element that shows the file; its URL ends with the element */
const useObjectUrl = (file: Blob | null) => useCallback((element: HTMLImageElement | HTMLIFrameElement | null) => {
  if (!element || !file) return undefined
  const url = URL.createObjectURL(file)
  element.src = url
  return () => URL.revokeObjectURL(url)
}, [file])
