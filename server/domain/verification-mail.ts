import type { App } from '../context.ts'
import type { Mailbox } from '../mailbox.ts'
import { composeSigned } from './composed-mail.ts'
import { escapeHtml } from './escape-html.ts'

/** Composes the mail that asks the owner of an address whether mail may be forwarded there. @param url of the verification page */
export function writeVerificationMail({ config, clock, db }: App, to: Mailbox, url: string): Promise<Buffer> {
  return composeSigned({
    messageId: `${db.newId()}@${config.defaultDomain}`,
    date: new Date(clock.now()),
    from: { name: 'Mayfly', address: `no-reply@${config.defaultDomain}` },
    to,
    subject: 'May mail be forwarded to you?',
    text: textOf(config.defaultDomain, to.address, url),
    html: htmlOf(config.defaultDomain, to.address, url),
    headers: { 'Auto-Submitted': 'auto-generated' },
  }, config.signingKey, clock.now())
}

const textOf = (domain: string, email: string, url: string) => `Hello,

a user of Mayfly, the temporary email service at ${domain},
would like to have mail forwarded to ${email}.

If that was you, open this page and confirm it:

${url}

The link holds for 24 hours and works once.

If it was not you, ignore this email: nothing will be forwarded.
`

const htmlOf = (domain: string, email: string, url: string) => `<!doctype html>
<html lang="en">
<body style="font: 16px/1.5 system-ui, sans-serif; max-width: 34em; margin: 1em auto; padding: 0 1em">
<p>Hello,</p>
<p>a user of Mayfly, the temporary email service at ${escapeHtml(domain)}, would like to have mail forwarded
to <strong>${escapeHtml(email)}</strong>.</p>
<p>If that was you, open this page and confirm it:</p>
<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>
<p>The link holds for 24 hours and works once.</p>
<p>If it was not you, ignore this email: nothing will be forwarded.</p>
</body>
</html>
`
