import type { App } from '../context.ts'
import type { Mailbox } from '../mailbox.ts'
import { composeSigned } from './composed-mail.ts'
import { escapeHtml } from './escape-html.ts'

interface SystemMail {
  to: Mailbox
  subject: string
  /** Text without markup; an object is a link on a line of its own. */
  paragraphs: (string | { url: string })[]
}

/** Composes a mail of the service itself, in text and HTML. No program answers it (Auto-Submitted, RFC 3834). */
export function writeSystemMail({ config, clock, db }: App, { to, subject, paragraphs }: SystemMail): Promise<Buffer> {
  const all = ['Hello,', ...paragraphs]
  return composeSigned({
    messageId: `${db.newId()}@${config.defaultDomain}`,
    date: new Date(clock.now()),
    from: { name: 'Mayfly', address: `no-reply@${config.defaultDomain}` },
    to,
    subject,
    text: all.map((paragraph) => `${typeof paragraph === 'string' ? paragraph : paragraph.url}\n`).join('\n'),
    html: htmlOf(all),
    headers: { 'Auto-Submitted': 'auto-generated' },
  }, config.signingKey, clock.now())
}

const htmlOf = (paragraphs: SystemMail['paragraphs']) => `<!doctype html>
<html lang="en">
<body style="font: 16px/1.5 system-ui, sans-serif; max-width: 34em; margin: 1em auto; padding: 0 1em">
${paragraphs.map((paragraph) => `<p>${typeof paragraph === 'string' ? escapeHtml(paragraph) : linkTo(paragraph.url)}</p>`).join('\n')}
</body>
</html>
`

const linkTo = (url: string) => `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`
