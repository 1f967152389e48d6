import type { App } from '../context.ts'
import type { Mailbox } from '../mailbox.ts'
import { writeSystemMail } from './system-mail.ts'

/** Composes the mail that asks the owner of an address whether mail may be forwarded there. @param url of the verification page */
export const writeVerificationMail = (app: App, to: Mailbox, url: string): Promise<Buffer> => writeSystemMail(app, {
  to,
  subject: 'May mail be forwarded to you?',
  paragraphs: [
    `a user of Mayfly, the temporary email service at ${app.config.defaultDomain}, would like to have mail forwarded to ${to.address}.`,
    'If that was you, open this page and confirm it:',
    { url },
    'The link is valid for 24 hours and works once.',
    'If it was not you, ignore this email: nothing will be forwarded.',
  ],
})
