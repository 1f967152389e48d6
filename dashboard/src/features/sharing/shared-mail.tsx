import { Tabs } from '@mantine/core'
import { IconArrowLeft } from '../../ui/icons.tsx'
import { useQuery } from '@tanstack/react-query'
import type { SharedEmail } from '../../api/generated/types.gen.ts'
import { keys } from '../../api/keys.ts'
import type { SharedInboxReader } from '../../api/shared-inbox.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import pane from '../../ui/pane.module.css'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { AttachmentSource } from '../mail-reader/attachment-file.ts'
import { Attachments } from '../mail-reader/attachments.tsx'
import { Codes, Links, Warnings } from '../mail-reader/codes-and-links.tsx'
import { HtmlPart } from '../mail-reader/html-part.tsx'
import { MailHeading } from '../mail-reader/mail-heading.tsx'
import { readerTexts } from '../mail-reader/texts.ts'
import { TextPart } from '../mail-reader/text-part.tsx'
import { useShownHtml } from '../mail-reader/use-shown-html.ts'
import classes from './shared.module.css'
import { sharingTexts } from './texts.ts'

interface SharedMailProps {
  token: string
  reader: SharedInboxReader
  id: string
  onClose: () => void
}

/** A mail of a shared inbox. */
export function SharedMail({ token, reader, id, onClose }: SharedMailProps) {
  const { data, error, refetch } = useQuery({
    queryKey: keys.shared(token, 'email', id), queryFn: ({ signal }) => reader.getEmail(id, signal), staleTime: Infinity,
  })
  const back = sharingTexts.shared.back
  return (
    <article className={pane['pane']}>
      <div className={classes['back']}><IconButton label={back} onClick={onClose}><IconArrowLeft size={18} aria-hidden /></IconButton></div>
      {data
        ? <AttachmentSource value={reader.openAttachment}><LoadedMail email={data} /></AttachmentSource>
        : error ? <ErrorState error={error} retry={() => void refetch()} /> : <LoadingRows count={4} height={72} />}
    </article>
  )
}

/** The members that only the owner of a mail sees. */
const withheld = { type: 'received' as const, isDeleted: false, recipients: [], recipientsTotal: 1, envelope: null }

function LoadedMail({ email }: { email: SharedEmail }) {
  const html = useShownHtml(email.bodyHtml)
  const { tabs } = readerTexts
  return (
    <div className={pane['content']}>
      <MailHeading email={{ ...email, ...withheld }} />
      <Codes codeDetails={email.codeDetails} receivedAt={email.receivedAt} />
      <Warnings warnings={email.warnings} />
      <Links links={email.links} warnings={email.warnings} />
      <Attachments email={email} />
      <Tabs defaultValue={email.bodyHtml ? 'preview' : 'text'} keepMounted={false}>
        <Tabs.List aria-label={tabs.label} mb="sm">
          {email.bodyHtml && <Tabs.Tab value="preview">{tabs.preview}</Tabs.Tab>}
          <Tabs.Tab value="text">{tabs.text}</Tabs.Tab>
        </Tabs.List>
        {email.bodyHtml && <Tabs.Panel value="preview"><HtmlPart email={email} {...html} /></Tabs.Panel>}
        <Tabs.Panel value="text"><TextPart text={email.bodyText} /></Tabs.Panel>
      </Tabs>
    </div>
  )
}
