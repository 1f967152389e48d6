import { expect } from 'chai'
import { Mayfly } from '@mayfly-mail/sdk'
import { rejectionOf } from './rejection.ts'

/** A client of an account with these addresses, newest first, which may change. */
function openAccount(ids: string[], { hasMore = true } = {}) {
  const offsets: (string | null)[] = []
  const sdk = new Mayfly({
    apiKey: 'svc_test_key',
    async fetch({ method, url }) {
      const { pathname, searchParams } = new URL(url)
      if (method === 'DELETE') return Response.json({ data: ids.splice(ids.indexOf(pathname.split('/').at(-1)!), 1) })
      const offset = Number(searchParams.get('offset') ?? 0)
      const limit = Number(searchParams.get('limit') ?? 20)
      offsets.push(searchParams.get('offset'))
      const data = ids.slice(offset, offset + limit).map((id) => ({ id }))
      const page = { total: ids.length, limit, offset, ...hasMore && { hasMore: offset + data.length < ids.length } }
      return Response.json(pathname.endsWith('addresses') ? { data: { ...page, addresses: data } } : { ...page, data })
    },
  })
  return { sdk, offsets }
}

const named = (count: number) => Array.from({ length: count }, (_, i) => `a${i}`)

async function idsOf(items: AsyncIterable<{ id: string }>) {
  const ids = []
  for await (const { id } of items) ids.push(id)
  return ids
}

describe('a list', () => {
  it('gives its page, and the items of all pages', async () => {
    const ids = named(45)
    const { sdk, offsets } = openAccount(ids)
    const list = sdk.addresses.list({ status: 'active' })
    expect((await list).addresses).to.have.length(20)
    expect(await idsOf(list)).to.deep.equal(ids)
    expect(offsets, 'the first page is asked for once').to.deep.equal([null, '20', '40'])
    expect(await idsOf(sdk.addresses.list({ limit: 10, offset: 30 }))).to.deep.equal(ids.slice(30))
  })

  it('asks for no more than is wanted', async () => {
    const { sdk, offsets } = openAccount(named(100))
    for await (const { id } of sdk.emails.list()) if (id === 'a3') break
    expect(offsets).to.have.length(1)
  })

  it('goes by the total where the answer has no more to say', async () => {
    const { sdk, offsets } = openAccount(named(40), { hasMore: false })
    expect(await idsOf(sdk.auditLogs.list())).to.have.length(40)
    expect(offsets).to.deep.equal([null, '20'])
  })

  it('may be empty', async () => {
    expect(await idsOf(openAccount([]).sdk.forwardingAddresses.list())).to.deep.equal([])
  })

  it('misses nothing where its items are deleted on the way', async () => {
    const ids = named(45)
    const { sdk } = openAccount([...ids])
    const deleted = []
    for await (const { id } of sdk.addresses.list()) {
      await sdk.addresses.delete(id)
      deleted.push(id)
    }
    expect(deleted).to.deep.equal(ids)
    expect((await sdk.addresses.list()).total).to.equal(0)
  })

  it('misses and repeats nothing where items are added on the way', async () => {
    const ids = named(45)
    const account = [...ids]
    const { sdk } = openAccount(account)
    const found = []
    for await (const { id } of sdk.addresses.list()) {
      if (found.push(id) % 3 === 0) account.unshift(`new${found.length}`)
    }
    expect(found).to.deep.equal(ids)
  })

  it('without pages has items too', async () => {
    const sdk = new Mayfly({ apiKey: 'svc_test_key', fetch: async () => Response.json({ data: [{ id: 'a' }, { id: 'b' }] }) })
    expect(await idsOf(sdk.domains.list())).to.deep.equal(['a', 'b'])
    expect(await idsOf(sdk.webhooks.list())).to.deep.equal(['a', 'b'])
  })

  it('fails in the loop over it', async () => {
    const sdk = new Mayfly({ apiKey: 'svc_test_key', maxRetries: 0, fetch: async () => Response.json({ error: 'No.', code: 'NOT_FOUND' }, { status: 404 }) })
    expect((await rejectionOf(idsOf(sdk.webhooks.deliveries('a')))).message).to.equal('No.')
  })
})
