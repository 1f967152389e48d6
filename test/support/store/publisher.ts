import { createAccount } from '../../../server/domain/accounts.ts'
import { issueAddress } from '../../../server/domain/addresses.ts'
import { publish } from '../../../server/domain/publishing.ts'
import { readMessage } from '../../../server/mime/read-message.ts'
import { inTransaction } from '../../../server/store/database.ts'
import type { Database } from '../../../server/store/database.ts'

/** Publishes mails in a new address below SMTP: each is a change of its own, as those of the intake. @returns a function for some mails */
export async function openPublisher(db: Database, source: Buffer, alias = 'publisher'): Promise<(count: number) => Promise<void>> {
  const { id: accountId } = await createAccount(db, `${alias}@mail.example`, 'business')
  const address = await inTransaction(db, (tx) => issueAddress(tx, { accountId, mode: 'live' }, {
    alias, domain: 'mail.example', domainId: null, lifetimeSeconds: 1e6,
  }))
  const recipient = { accountId, addressId: address!.id, address: address!.address }
  const parsed = readMessage(source)
  const publishOne = () => inTransaction(db, (tx) => publish(tx, {
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
  return async (count) => { await Promise.all(Array.from({ length: count }, publishOne)) }
}
