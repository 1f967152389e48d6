import { createAccount } from '../../../server/domain/accounts.ts'
import { issueAddress } from '../../../server/domain/addresses.ts'
import { publish } from '../../../server/domain/publishing.ts'
import { readMessage } from '../../../server/mime/read-message.ts'
import { inTransaction } from '../../../server/store/database.ts'
import type { Database } from '../../../server/store/database.ts'

/**
 * Publishes mails in new addresses below SMTP: each is a change of its own, as those of the intake.
 * @param accounts their number, each with an address; they get mail in turn @returns a function for some mails
 */
export async function openPublisher(
  db: Database, source: Buffer, alias = 'publisher', accounts = 1,
): Promise<(count: number) => Promise<void>> {
  const recipients = await Promise.all(Array.from({ length: accounts }, async (_, i) => {
    const { id: accountId } = await createAccount(db, `${alias}-${i}@mail.example`, 'business')
    const issued = await inTransaction(db, (tx) => issueAddress(tx, { accountId, mode: 'live' }, {
      alias: `${alias}-${i}`, domain: 'mail.example', domainId: null, lifetimeSeconds: 1e6,
    }))
    return { accountId, addressId: issued!.id, address: issued!.address }
  }))
  const parsed = readMessage(source)
  let published = 0
  const publishOne = (recipient = recipients[published++ % accounts]!) => inTransaction(db, (tx) => publish(tx, {
    id: db.newId(),
    receivedAt: tx.now,
    size: source.length,
    envelope: {
      sender: 'shop@example.org',
      recipients: [{ ...recipient, emailId: db.newId() }],
      remoteAddress: '192.0.2.1',
      helo: 'mx.example.org',
      tls: false,
    },
  }, parsed, { source }), { mayInterleave: true })
  return async (count) => { await Promise.all(Array.from({ length: count }, () => publishOne())) }
}
