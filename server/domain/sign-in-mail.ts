import type { App } from '../context.ts'
import type { Mailbox } from '../mailbox.ts'
import { composeSigned } from './composed-mail.ts'
import { escapeHtml } from './escape-html.ts'

/** Composes the mail with a sign-in link. @param hasAccount whether the address has an account; else the link creates one */
export function writeSignInMail({ config, clock, db }: App, to: Mailbox, url: string, hasAccount: boolean): Promise<Buffer> {
  const domain = config.defaultDomain
  return composeSigned({
    messageId: `${db.newId()}@${domain}`,
    date: new Date(clock.now()),
    from: { name: 'Mayfly', address: `no-reply@${domain}` },
    to,
    subject: hasAccount ? 'Your link for signing in' : 'Your link for a new account',
    text: textOf(linesOf(domain, to.address, hasAccount), url),
    html: htmlOf(linesOf(domain, to.address, hasAccount), url),
    headers: { 'Auto-Submitted': 'auto-generated' },
  }, config.signingKey, clock.now())
}

const linesOf = (domain: string, email: string, hasAccount: boolean) => ({
  reason: `this link signs you in to Mayfly, the temporary email service at ${domain}, as ${email}` +
    (hasAccount ? ':' : '. It creates your account:'),
  limits: 'The link holds for 15 minutes and works once.',
  otherwise: 'If you did not request it, ignore this email: without the link, nothing happens.',
})

type Lines = ReturnType<typeof linesOf>

const textOf = ({ reason, limits, otherwise }: Lines, url: string) => `Hello,

${reason}

${url}

${limits}

${otherwise}
`

const htmlOf = ({ reason, limits, otherwise }: Lines, url: string) => `<!doctype html>
<html lang="en">
<body style="font: 16px/1.5 system-ui, sans-serif; max-width: 34em; margin: 1em auto; padding: 0 1em">
<p>Hello,</p>
<p>${escapeHtml(reason)}</p>
<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>
<p>${limits}</p>
<p>${otherwise}</p>
</body>
</html>
`
