import { expect } from 'chai'
import { Mayfly } from '@mayfly-mail/sdk'
import type { ListItems } from '@mayfly-mail/sdk'

/** A client of an account with these addresses, newest first, which may change. */
function openAccount(ids: string[], { hasMore = true } = {}) {
  const asked: (string | null)[] = []
  /** The ids at the start of the test, also of addresses that are deleted later. */
  const order = [...ids]
  const sdk = new Mayfly({
    apiKey: 'svc_test_key',
    async fetch({ method, url }) {
      const { pathname, searchParams } = new URL(url)
      if (method === 'DELETE') return Response.json({ data: ids.splice(ids.indexOf(pathname.split('/').at(-1)!), 1) })
      const offset = Number(searchParams.get('offset') ?? 0)
      const limit = Number(searchParams.get('limit') ?? 20)
      const before = searchParams.get('before')
      asked.push(before ?? searchParams.get('offset'))
      const rows = ids.filter((id) => before === null || order.indexOf(id) > order.indexOf(before)).slice(offset)
      const data = rows.slice(0, limit).map((id) => ({ id }))
      const page = { total: ids.length, limit, offset, ...hasMore && { hasMore: data.length < rows.length } }
      return Response.json(pathname.endsWith('addresses') ? { data: { ...page, addresses: data } } : { ...page, data })
    },
  })
  return { sdk, asked }
}

const named = (count: number) => Array.from({ length: count }, (_, i) => `a${i}`)

async function idsOf(items: AsyncIterable<{ id: string }>) {
  const ids = []
  for await (const { id } of items) ids.push(id)
  return ids
}

describe('SDK: a list', () => {
  it('returns its page, and iterates over the items of all pages', async () => {
    const ids = named(45)
    const { sdk, asked } = openAccount(ids)
    const list = sdk.addresses.list({ status: 'active' })
    expect((await list).addresses).to.have.length(20)
    expect(await idsOf(list)).to.deep.equal(ids)
    expect(asked, 'the first page is asked for once').to.deep.equal([null, 'a19', 'a39'])
    expect(await idsOf(sdk.addresses.list({ limit: 10, offset: 30 }))).to.deep.equal(ids.slice(30))
  })

  it('uses the total of an answer without hasMore', async () => {
    const { sdk, asked } = openAccount(named(40), { hasMore: false })
    expect(await idsOf(sdk.auditLogs.list())).to.have.length(40)
    expect(asked).to.deep.equal([null, 'a19'])
  })

  it('skips no item when other items are deleted during the loop', async () => {
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

  it('skips and repeats no item when other items are added during the loop', async () => {
    const ids = named(45)
    const account = [...ids]
    const { sdk } = openAccount(account)
    const found = []
    for await (const { id } of sdk.addresses.list()) {
      if (found.push(id) % 3 === 0) account.unshift(`new${found.length}`)
    }
    expect(found).to.deep.equal(ids)
  })

  it('has items, total and an iteration, whatever its noun', async () => {
    const { sdk } = openAccount(named(30))
    const all = new Mayfly({ apiKey: 'svc_test_key', fetch: async () => Response.json({ data: [{ id: 'a' }, { id: 'b' }] }) })
    const lists: [list: Promise<ListItems<{ id: string }>>, count: number, total: number, old: string | undefined][] = [
      [sdk.addresses.list(), 20, 30, 'addresses'],
      [sdk.emails.list({ limit: 7 }), 7, 30, 'data'],
      [sdk.auditLogs.list(), 20, 30, 'data'],
      [sdk.webhooks.deliveries('a'), 20, 30, 'data'],
      [sdk.forwardingAddresses.list(), 20, 30, 'addresses'],
      [all.domains.list(), 2, 2, undefined],
      [all.webhooks.list(), 2, 2, undefined],
    ]
    for (const [promise, count, total, old] of lists) {
      const list = await promise
      expect(list.items).to.have.length(count)
      expect(list.total).to.equal(total)
      expect([...list]).to.deep.equal(list.items)
      expect(old ? Reflect.get(list, old) : list).to.equal(list.items)
      expect(Object.keys(list)).to.not.include('items')
    }
  })

  it('without pages is still an array', async () => {
    const sdk = new Mayfly({ apiKey: 'svc_test_key', fetch: async () => Response.json({ data: [{ id: 'a' }, { id: 'b' }] }) })
    const domains = await sdk.domains.list()
    expect(domains).to.be.an('array').with.length(2)
    expect(domains.map(({ id }) => id)).to.deep.equal(['a', 'b'])
    expect(JSON.stringify(domains)).to.equal('[{"id":"a"},{"id":"b"}]')
  })
})
