import { ActionIcon, Button, Group, Text } from '@mantine/core'
import type { Email } from '@mayfly-mail/sdk'
import { IconDownload, IconEye, IconPaperclip } from '../../ui/icons.tsx'
import { useMutation } from '@tanstack/react-query'
import { use, useState } from 'react'
import { formatBytes } from '../../ui/format-bytes.ts'
import hidden from '../../ui/hidden.module.css'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { AttachmentSource, saveFile } from './attachment-file.ts'
import { showHidden } from './format.ts'
import { canPreview } from './preview-types.ts'
import classes from './reader.module.css'
import { readerTexts } from './texts.ts'

type Attachment = Email['attachments'][number]

/** More are shown on request. */
const maxFirst = 3

const texts = readerTexts.attachments
const Preview = lazyPart(async () => (await import('./preview.tsx')).Preview)

export function Attachments({ email: { id, attachments } }: { email: Pick<Email, 'id' | 'attachments'> }) {
  const [isAll, setAll] = useState(false)
  const [previewed, setPreviewed] = useState<Attachment>()
  if (attachments.length === 0) return null
  return (
    <section aria-labelledby="attachments">
      <h3 id="attachments" className={hidden['hidden']}>{texts.title(attachments.length)}</h3>
      <ul className={classes['attachments']}>
        {attachments.slice(0, isAll ? undefined : maxFirst).map((attachment) =>
          <AttachmentRow key={attachment.id} emailId={id} attachment={attachment} onPreview={() => setPreviewed(attachment)} />)}
      </ul>
      {!isAll && attachments.length > maxFirst &&
        <Button size="compact-sm" variant="subtle" mt="xs" onClick={() => setAll(true)}>{texts.all(attachments.length)}</Button>}
      {previewed && <Preview emailId={id} attachment={previewed} onClose={() => setPreviewed(undefined)} />}
    </section>
  )
}

interface AttachmentRowProps {
  emailId: string
  attachment: Attachment
  onPreview: () => void
}

function AttachmentRow({ emailId, attachment, onPreview }: AttachmentRowProps) {
  const name = showHidden(attachment.filename)
  const openAttachment = use(AttachmentSource)
  const download = useMutation({
    mutationFn: () => openAttachment(emailId, attachment.id, 'application/octet-stream'),
    onSuccess: (file) => saveFile(file, attachment.filename),
  })
  return (
    <li className={classes['attachment']}>
      <IconPaperclip size={16} aria-hidden />
      <div className={classes['target']} title={showHidden(attachment.contentType)}>
        <Text span size="sm"><bdi>{name}</bdi></Text>{' '}
        <Text span size="xs" c="dimmed">{formatBytes(attachment.size)}</Text>
      </div>
      <Group gap={4} wrap="nowrap">
        {canPreview(attachment) && (
          <ActionIcon variant="subtle" color="gray" aria-label={texts.preview(name)} title={texts.preview(name)} onClick={onPreview}>
            <IconEye size={16} aria-hidden />
          </ActionIcon>
        )}
        <ActionIcon
          variant="subtle" color="gray" aria-label={texts.download(name)} title={texts.download(name)}
          loading={download.isPending} onClick={() => download.mutate()}
        >
          <IconDownload size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </li>
  )
}
