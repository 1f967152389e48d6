import type { Email } from '@mayfly-mail/sdk'
import { mayfly } from '../../api/session.ts'
import { formatBytes } from '../../ui/format-bytes.ts'
import { showError } from '../../ui/notify.tsx'
import pane from '../../ui/pane.module.css'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { saveFile } from './attachment-file.ts'
import { Attachments } from './attachments.tsx'
import { FailedAuthentication } from './authentication.tsx'
import { Codes, Links, Warnings } from './codes-and-links.tsx'
import { Delivery } from './delivery.tsx'
import { fileNameOf, formatExact, showHidden } from './format.ts'
import { textBody } from './html/frame-document.ts'
import { printMail } from './html/print.ts'
import { shownText } from './html/text-turns.ts'
import { MailHeading } from './mail-heading.tsx'
import { MailParts } from './mail-parts.tsx'
import { readerTexts as texts } from './texts.ts'
import { Thread } from './thread.tsx'
import { Toolbar } from './toolbar.tsx'
import { useEmail, useEmailActions } from './use-email.ts'
import type { EmailActions } from './use-email.ts'
import { useShownHtml } from './use-shown-html.ts'

interface ReaderProps {
  emailId: string
  onClose: () => void
  /** Changes in place of the reader's own, such as a deletion that can be undone. */
  actions?: Partial<EmailActions>
}

/** One mail: who sent it, its codes and links, its body and its files. */
export function MailReader({ emailId, onClose, actions }: ReaderProps) {
  const { data, error, refetch } = useEmail(emailId)
  const own = useEmailActions(emailId, onClose)
  if (data) return <LoadedMail key={emailId} email={data} onClose={onClose} actions={{ ...own, ...actions }} />
  return error ? <ErrorState error={error} retry={() => void refetch()} /> : <LoadingRows count={4} height={72} />
}

function LoadedMail({ email, onClose, actions }: { email: Email, onClose: () => void, actions: EmailActions }) {
  const html = useShownHtml(email.bodyHtml)
  const { mail, isRemoteAllowed } = html

  const print = () => {
    const text = shownText(email.bodyText)
    const isCut = !mail && text.length < email.bodyText.length
    printMail({
      email, isRemoteAllowed, mail: mail ?? textBody(text),
      lines: [
        [email.subject || texts.noSubject], [`${texts.from}:`, email.fromName, `<${showHidden(email.from)}>`],
        [`${texts.to}:`, showHidden(email.to)], [formatExact(email.receivedAt)],
        ...isCut ? [[texts.cutText(formatBytes(text.length))]] : [],
      ],
    })
  }
  const download = () => void mayfly.emails.raw(email.id).then((file) => saveFile(file, fileNameOf(email.subject, email.id)), showError)

  return (
    <article className={pane['pane']}>
      <Toolbar email={email} actions={actions} onClose={onClose} onPrint={print} onDownload={download} />
      <div className={pane['content']}>
        <MailHeading email={email} />
        <Codes codeDetails={email.codeDetails} receivedAt={email.receivedAt} />
        <Warnings warnings={email.warnings} />
        <Links links={email.links} warnings={email.warnings} />
        <Delivery email={email} />
        <FailedAuthentication email={email} />
        <Attachments email={email} />
        <MailParts email={email} {...html} />
        <Thread email={email} />
      </div>
    </article>
  )
}
