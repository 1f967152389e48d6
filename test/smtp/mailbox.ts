import { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { openSession } from '../support/play-session.ts'
import type { SmtpTarget, Step } from '../support/play-session.ts'
import type { TestApp } from '../support/app.ts'

export const hello: Step = ['EHLO client.example.org', 250]

/** The steps that deliver a mail; its text is sent unchanged, without its final dot. */
export function delivery(to: string, text = 'Subject: hello\r\n\r\nhello\r\n'): Step[] {
  return [
    ['MAIL FROM:<shop@example.org>', 250], [`RCPT TO:<${to}>`, 250], ['DATA', 354],
    [Buffer.concat([Buffer.from(text, 'latin1'), Buffer.from('.\r\n')]), 250],
  ]
}

/** The sources of an address's mails as the API returns them, in the order of arrival, as Latin-1 text: a character per byte. */
export async function rawMails(app: TestApp, addressId: string): Promise<string[]> {
  await app.settled()
  const emails = await app.listEmails({ address_id: addressId })
  const sources = await Promise.all(emails.map(async ({ id }) => (await app.api('GET', `/emails/${id}/raw`)).body as Buffer))
  return sources.reverse().map((source) => source.toString('latin1'))
}

/** The certificate of a port, at the begin of the connection or by STARTTLS. */
export async function shownCertificate(target: SmtpTarget): Promise<X509Certificate> {
  await using session = await openSession(target)
  if (!target.tls) {
    await session.play([hello, ['STARTTLS', 220]])
    await session.startTls()
  }
  return new X509Certificate((session.socket as TLSSocket).getPeerCertificate().raw)
}
