import type { App } from '../context.ts'
import type { Mailbox } from '../mailbox.ts'
import { linkLifetimeMinutes } from '../store/accounts/sign-in-links.ts'
import { writeSystemMail } from './system-mail.ts'

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
