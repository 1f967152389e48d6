import type { App, Caller } from '../context.ts'
import type { TestEmailCreate } from '../contract/types.gen.ts'
import type { Recipient } from '../envelope.ts'
import { AppError, invalidInput, nothingFound, payloadTooLarge } from '../errors.ts'
import { toCrlf } from '../line-endings.ts'
import { nameIn, parseRecipient } from '../mailbox.ts'
import { readHeadersOnly } from '../mime/read-message.ts'
import type { ChangeRecords } from '../store/accounts/idempotency-keys.ts'
import { findAddress } from '../store/addresses/addresses.ts'
import { compose } from './composed-mail.ts'
import { acceptLocalMail, once } from './receiving.ts'
import { acceptRecipient } from './recipients.ts'
import { notOneMailbox, oneMailbox } from './sending.ts'
import { passFaults } from './smtp-faults.ts'

/**
 * Receives a mail at a test-mode address as if it had come over SMTP.
 * @param recordsOf gets the id of the email, and returns the records that the transaction which accepts the mail inserts
 * @returns the id of the email; a longer mail is published a moment later
 * @throws AppError `INVALID_REQUEST`, `NOT_FOUND` when the key is live, or the address unknown, expired or not the caller's
 * test data, `CONFLICT` by an SMTP fault of the address, `PAYLOAD_TOO_LARGE`, `STORAGE_FULL`
 */
export async function receiveTestEmail(
  app: App, caller: Caller, input: TestEmailCreate, recordsOf: (id: string) => ChangeRecords,
): Promise<string> {
  refuseLiveKey(caller)
  const recipient = await testRecipient(app, caller, input.to)
  const source = input.raw === undefined ? await composeTest(app, caller, input, recipient) : sourceOf(input)
  const { maxMessageBytes } = app.config.smtp
  if (source.length > maxMessageBytes) throw payloadTooLarge(`A mail has at most ${maxMessageBytes} bytes.`)
  const { from: sender } = readHeadersOnly(source, null)
  await passFaults(app, recipient, sender)
  return acceptLocalMail(app, { sender, recipient, source: once(source) }, recordsOf)
}

async function testRecipient(app: App, caller: Caller, to: string): Promise<Recipient> {
  // a malformed tag is a fault of the request (400), an address that does not exist is not found (404)
  if (to.includes('+') && !parseRecipient(to, { defaultDomain: app.config.defaultDomain, allowsUtf8: true })) throw notOneMailbox('body.to')
  const recipient = await acceptRecipient(app, to, { allowsUtf8: true }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined
    throw error
  })
  const isTheirs = recipient && 'addressId' in recipient && await findAddress(app.db, caller, recipient.addressId)
  if (!isTheirs) throw noTestMailbox()
  return recipient
}

export function refuseLiveKey({ mode }: Caller): void {
  if (mode !== 'test') throw nothingFound('A live key has no test-mode mailbox. Use a key that starts with svc_test_.')
}

export const noTestMailbox = (): AppError => nothingFound('body.to: There is no active test-mode address with this name.')

async function composeTest(app: App, { accountId }: Caller, { from = 'test@example.com', subject = '', text = '', html = '' }: TestEmailCreate, to: Recipient) {
  const mailbox = oneMailbox('body.from', from)
  return compose(app, accountId, {
    messageId: `${app.db.newId()}@${mailbox.domain}`,
    date: new Date(app.clock.now()),
    from: { address: mailbox.address, name: nameIn(from) },
    to,
    subject,
    text,
    html,
  })
}

/** The bytes of `raw` with CRLF at the end of each line. */
export function sourceOf({ raw, ...others }: TestEmailCreate) {
  const message = 'cannot stand beside raw, which has everything; leave it out'
  const details = Object.keys(others).filter((name) => name !== 'to').map((name) => ({ path: `body.${name}`, message }))
  if (details.length > 0) {
    throw invalidInput(`${details.map(({ path }) => path).join(', ')}: ${message}.`, details)
  }
  const source = toCrlf(raw!)
  return Buffer.from(source.endsWith('\r\n') ? source : `${source}\r\n`)
}
