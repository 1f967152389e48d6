import type { App } from '../context.ts'
import type { Mailbox } from '../mailbox.ts'
import { linkLifetimeMinutes } from '../store/accounts/sign-in-links.ts'
import { composeSigned } from './composed-mail.ts'

interface SystemMail {
  to: Mailbox
  subject: string
  /** Text without markup; an object is a link on a line of its own. */
  paragraphs: (string | { url: string })[]
}

/** Composes a mail of the service itself, in text and HTML. No program answers it (Auto-Submitted: RFC 3834, section 5). */
function writeSystemMail({ config, clock, db }: App, { to, subject, paragraphs }: SystemMail): Promise<Buffer> {
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

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for an element or a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!)

/** Composes the mail with a sign-in link. @param hasAccount whether the address has an account; else the link creates one */
export const writeSignInMail = (app: App, to: Mailbox, url: string, hasAccount: boolean): Promise<Buffer> => writeSystemMail(app, {
  to,
  subject: hasAccount ? 'Your link for signing in' : 'Your link for a new account',
  paragraphs: [
    `this link signs you in to Mayfly, the temporary email service at ${app.config.defaultDomain}, as ${to.address}` +
    (hasAccount ? ':' : '. It creates your account:'),
    { url },
    `The link is valid for ${linkLifetimeMinutes} minutes and works once.`,
    'If you did not request it, ignore this email: without the link, nothing happens.',
  ],
})

/** Composes the mail with an invitation. @param account its e-mail address */
export function writeInvitationMail(
  app: App, to: Mailbox, { url, account, days }: { url: string, account: string, days: number },
): Promise<Buffer> {
  return writeSystemMail(app, {
    to,
    subject: `Use Mayfly together with ${account}`,
    paragraphs: [
      `${account} invites you to an account of Mayfly, the temporary email service at ${app.config.defaultDomain}. This link signs you in to it:`,
      { url },
      `The link is valid for ${days} days and works once.`,
      'If you do not know who invites you, ignore this email: without the link, nothing happens.',
    ],
  })
}

/** Hours after which a verification link expires. */
export const verificationLifetimeHours = 24

/** Composes the mail that asks the owner of an address whether mail may be forwarded there. @param url of the verification page */
export const writeVerificationMail = (app: App, to: Mailbox, url: string): Promise<Buffer> => writeSystemMail(app, {
  to,
  subject: 'May mail be forwarded to you?',
  paragraphs: [
    `a user of Mayfly, the temporary email service at ${app.config.defaultDomain}, would like to have mail forwarded to ${to.address}.`,
    'If that was you, open this page and confirm it:',
    { url },
    `The link is valid for ${verificationLifetimeHours} hours and works once.`,
    'If it was not you, ignore this email: nothing will be forwarded.',
  ],
})
