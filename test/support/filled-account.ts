import { inTransaction } from '../../server/store/database.ts'
import type { TestApp } from './app.ts'
import type { ForwardingWorld } from './forwarding.ts'
import { invite } from './members.ts'
import { playSession } from './play-session.ts'
import { newToken, signIn } from './sessions.ts'
import { emailOfAccount } from './store/accounts.ts'
import { addDomains } from './store/domains.ts'
import { testEngineOf } from './store/engines.ts'
import { rawSql } from './store/raw-sql.ts'
import { rowsOf } from './store/rows.ts'
import { indexed } from './store/search-index.ts'

/**
 * Gives an account a row in each table, with mail that waits to be sent and webhooks that wait for another attempt.
 * @param hook the URL of an endpoint that answers 500
 * @returns an address that gets mail
 */
export async function fillAccount(
  { app, receiver, newVerified }: ForwardingWorld, hook: string, { account, name }: { account: string, name: string },
): Promise<string> {
  const key = await app.newKey({ account })
  const call = async (method: string, path: string, body?: unknown, options = {}) => {
    const answer = await app.api(method, path, { key, body, ...options })
    if (answer.status >= 300) throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.body.error}`)
    return answer.body.data
  }
  const { id: forwardToId } = await newVerified(`${name}@forward.example`, key)
  receiver.replies.rcpt = () => ({ code: 450, text: 'Try again later' })
  await call('POST', '/forwarding-addresses', { email: `${name}-unverified@forward.example` })
  await call('POST', '/webhooks', { url: hook, events: ['email.received'] })
  const first = await call('POST', '/addresses', { forwardToId }, { headers: { 'idempotency-key': `${name}-first-key` } })
  const second = await call('POST', '/addresses', { smtpLogin: true })
  const guess = Buffer.from(`\0${second.address}\0wrong`).toString('base64')
  await playSession(app.smtp, [['EHLO app.example', 250], [`AUTH PLAIN ${guess}`, 535]])
  await call('PUT', `/addresses/${second.id}/smtp-faults`, { steps: [{ at: 'auth', code: 454 }] })
  const removed = await call('POST', '/addresses', {})
  await addDomains(app, account, { [`${name}.example`]: 'verified' })
  await call('POST', '/addresses', { domain: `${name}.example`, alias: 'postmaster' })
  const long = { filename: 'a.bin', content: Buffer.alloc(1_500_000, name) }
  await app.send({ to: [first.address, second.address], subject: `both ${name}`, attachments: [{ filename: 'a.txt', content: 'text' }] })
  await app.send({ to: first.address, subject: `long ${name}`, attachments: [long] })
  await app.send({ to: removed.address, subject: `removed ${name}` })
  await app.settled()
  await call('POST', '/emails', { fromAddressId: first.id, to: 'ada@elsewhere.example', subject: `sent ${name}`, body: 'sent' })
  // not by the API: the audit row of a read is written later
  const deleted = (await rowsOf(app, 'emails')).find(({ addressId }) => addressId === second.id)!
  await call('DELETE', `/emails/${deleted.id}`)
  await call('DELETE', `/addresses/${removed.id}`)
  const testKey = await app.newKey({ account, isTest: true })
  const test = (await app.api('POST', '/addresses', { key: testKey, body: {} })).body.data
  const sent = await app.api('POST', '/test/emails', { key: testKey, body: { to: test.address, text: 'code 123456' } })
  const owner = await emailOfAccount(app, account)
  const session = await signIn(app, { email: owner })
  await invite(session, `${name}-member@example.org`)
  const shared = await session.api('POST', `/addresses/${first.id}/share-links`, { body: { hours: 1 } })
  if (sent.status !== 201 || shared.status !== 201) throw new Error(`the answers are ${sent.status} and ${shared.status}`)
  await newToken(app, owner) // a link that is not used yet
  await app.advance({ seconds: 2 }) // the last uses of keys and sessions are stored
  await inTransaction(app.app.db, async () => {}) // after the transactions that store them
  await indexed(app)
  await addSearchData(app, account)
  return first.address as string
}

/** The search data of an account with thousands of mails. */
const addSearchData = ({ app: { db } }: TestApp, account: string) => inTransaction(db, async (tx) => {
  for (const statement of testEngineOf(db).searchDataOf(`from email_search_owners where account_id = '${account}' and mode = 'live'`)) {
    await rawSql(tx, statement)
  }
})
