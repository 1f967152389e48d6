import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../../server/clock.ts'
import { insertAccount, lockAccountIfPresent, markDeleted } from '../../../server/store/accounts/accounts.ts'
import { countAccountKeys } from '../../../server/store/accounts/api-keys.ts'
import { insertAddress, lockAddressHolderForShare, removeAddress } from '../../../server/store/addresses/addresses.ts'
import {
  countDomains, insertDomain, lockVerifiedDomainForShare, lockDomain, takeDomain, updateDomain,
} from '../../../server/store/addresses/domains.ts'
import type { StoredDomain } from '../../../server/store/addresses/domains.ts'
import { inTransaction, openDatabase } from '../../../server/store/database.ts'
import type { Database, Tx } from '../../../server/store/database.ts'
import {
  findWebhookToChange, insertWebhook, lockSubscribersForShare, lockWebhookUrls, removeWebhook, setWebhookMembers,
} from '../../../server/store/events/webhooks.ts'
import type { Owner } from '../../../server/store/schema/values.ts'
import { newDatabase, newFolder } from '../../support/new-database.ts'

const dayMs = 24 * 3600 * 1000

describe('Locks: changes that read a value, and write by it', () => {
  let folder: string
  let db: Database
  let owner: Owner
  /** The locks in their order. */
  let locked: string[]
  /** The change that another node makes before the transaction gets its lock. */
  let changeOfOtherNode: () => Promise<unknown>
  let tx: Tx

  beforeEach(async () => {
    folder = await newFolder()
    db = await openDatabase(await newDatabase(join(folder, 'mayfly.db')), systemClock)
    owner = { accountId: (await inTransaction(db, (tx) => insertAccount(tx, 'a@example.org', 'business'))).id, mode: 'live', bound: undefined }
    locked = []
    changeOfOtherNode = async () => {}
    db.engine.locks = {
      lockEnd() {},
      async lockName(_at, name) {
        locked.push(name)
        await changeOfOtherNode()
      },
      async lockRow(_at, table, id) {
        locked.push(`${table} ${id}`)
        await changeOfOtherNode()
      },
      async lockRowForShare(_at, table, id) {
        locked.push(`${table} ${id} is kept`)
        await changeOfOtherNode()
        return 'may have changed' as const
      },
    }
  })
  afterEach(async () => {
    await db.close()
    await rm(folder, { recursive: true })
  })

  /** Runs a test in a transaction, which also stands for that of the other node. */
  const inTx = (test: () => Promise<void>) => () => inTransaction(db, async (given) => {
    tx = given
    await test()
  })
  const newWebhook = () => insertWebhook(tx, owner, { url: 'https://a.example', events: ['email.received'], addressIds: null, secret: 's', form: 'both', dialect: 'primary' })
  const newDomain = async (of = owner) => (await insertDomain(tx, of, { domain: 'a.example', token: 't' }))!

  it('counts for a limit see the rows of the transaction before', inTx(async () => {
    changeOfOtherNode = newWebhook
    expect(await lockWebhookUrls(tx, owner)).to.have.length(1)
    changeOfOtherNode = newDomain
    expect(await countDomains(tx, owner)).to.equal(1)
    changeOfOtherNode = async () => {}
    await countAccountKeys(tx, owner.accountId, 10)
    const of = `${owner.accountId}/live`
    expect(locked).to.deep.equal([`webhooks/${of}`, `domains/${of}`, `api keys/${owner.accountId}`])
  }))

  it('a domain is verified for the first of two accounts', inTx(async () => {
    const other = { ...owner, accountId: (await insertAccount(tx, 'b@example.org', 'business')).id }
    const [own, others] = [await newDomain(), await newDomain(other)]
    changeOfOtherNode = () => updateDomain(tx, others.id, { status: 'verified' })
    expect(await takeDomain(tx, own)).to.equal(false)
    expect(locked).to.deep.equal(['verified domain/a.example'])
  }))

  it('a check of a domain reads the failures of the check before', inTx(async () => {
    const { id } = await newDomain()
    changeOfOtherNode = () => updateDomain(tx, id, { failures: 3 })
    expect((await lockDomain(tx, id))!.failures).to.equal(3)
  }))

  it('no address is issued at a domain that loses its verification', inTx(async () => {
    const domain: StoredDomain = await newDomain()
    await takeDomain(tx, domain)
    expect(await lockVerifiedDomainForShare(tx, owner, domain.domain)).to.equal(domain.id)
    changeOfOtherNode = () => updateDomain(tx, domain.id, { status: 'pending' })
    expect(await lockVerifiedDomainForShare(tx, owner, domain.domain)).to.equal(undefined)
  }))

  it('no mail is published in a mailbox that is removed', inTx(async () => {
    const input = { owner, alias: 'a', address: 'a@mail.localhost', expiresAt: tx.now + dayMs, domainId: null }
    const { id } = (await insertAddress(tx, input))!
    expect(await lockAddressHolderForShare(tx, id)).to.include({ accountId: owner.accountId, mode: owner.mode })
    changeOfOtherNode = () => removeAddress(tx, owner, id)
    expect(await lockAddressHolderForShare(tx, id)).to.equal(undefined)
    expect(locked).to.deep.equal([`addresses ${id} is kept`, `addresses ${id} is kept`])
  }))

  it('no change is made for an account that is deleted', inTx(async () => {
    expect(await lockAccountIfPresent(tx, owner.accountId)).to.equal(true)
    changeOfOtherNode = () => markDeleted(tx, owner.accountId)
    expect(await lockAccountIfPresent(tx, owner.accountId)).to.equal(false)
  }))

  it('no delivery is planned for a webhook that is removed or disabled', inTx(async () => {
    const ids = [(await newWebhook()).id, (await newWebhook()).id, (await newWebhook()).id] as const
    const find = async () => (await lockSubscribersForShare(tx, owner, 'email.received', 'any')).map(({ id }) => id)
    expect(await find()).to.have.members(ids)
    changeOfOtherNode = async () => {
      await removeWebhook(tx, owner, ids[0])
      await setWebhookMembers(tx, ids[1], { isActive: false })
    }
    expect(await find()).to.deep.equal([ids[2]])
    changeOfOtherNode = newWebhook // which is not kept, so it gets no delivery
    expect(await find()).to.deep.equal([ids[2]])
  }))

  it('a rotation of a secret reads that of the rotation before', inTx(async () => {
    const { id } = await newWebhook()
    changeOfOtherNode = () => setWebhookMembers(tx, id, { secret: 'next' })
    expect((await findWebhookToChange(tx, owner, id))!.secret).to.equal('next')
    expect(locked).to.deep.equal([`webhooks ${id}`])
  }))
})
