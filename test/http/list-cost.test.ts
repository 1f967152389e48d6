import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { manyRows } from '../support/store/many-rows.ts'
import type { ManyRows } from '../support/store/many-rows.ts'
import { bindAddresses } from '../support/store/addresses.ts'
import { markMailboxesRemoved } from '../support/store/mails.ts'
import { queryPlans, recordSelects } from '../support/store/queries.ts'
import type { SelectRecording } from '../support/store/queries.ts'

const [few, many] = [1_000, 16_000]
/** Maximum ratio of the times for the large and the small account; a cost that grows with the rows gives about 16. */
const maxRatio = 4
/** Rounds per measurement, and the maximum number of measurements of a request that seems slow. */
const [rounds, passes] = [12, 4]

/** The path of every list with each combination of its filters, by name. */
function requests({ addressId, webhookId, oldest, middle }: ManyRows): Record<string, string> {
  const emails: Record<string, string> = {}
  for (const type of ['', 'type=received', 'type=sent']) {
    for (const address of ['', `address_id=${addressId}`]) {
      for (const deleted of ['', 'is_deleted=true']) {
        for (const part of ['', `after=${oldest}`, `before=${middle}`, `after=${oldest}&before=${middle}`]) {
          for (const q of ['', 'q=word', 'q=word%20absent']) {
            const query = [type, address, deleted, part, q].filter(Boolean).join('&')
            emails[`emails ${query.replaceAll(/=[0-9a-f-]{36}/g, '=…')}`] = `/emails?limit=10&${query}`
          }
        }
      }
    }
  }
  const lists = { 'addresses': '/addresses?', 'active addresses': '/addresses?status=active&', 'expired addresses': '/addresses?status=expired&',
    'audit records': '/audit-logs?', 'deliveries': `/webhooks/${webhookId}/deliveries?`, 'forwarding addresses': '/forwarding-addresses?' }
  const others = Object.entries(lists).flatMap(([name, path]) => [
    [name, `${path}limit=10`], [`${name} before=…`, `${path}limit=10&before=${middle}`], [`${name} offset=500`, `${path}limit=10&offset=500`],
  ])
  return {
    ...emails, 'emails offset=500': '/emails?limit=10&offset=500', 'emails q=word&offset=500': '/emails?limit=10&q=word&offset=500',
    ...Object.fromEntries(others), 'analytics': '/analytics', 'analytics by day': '/analytics/daily', 'domains': '/domains', 'webhooks': '/webhooks',
  }
}

describe('Lists: cost', function () {
  this.timeout(240_000)
  let app: TestApp
  let small: ManyRows
  let large: ManyRows
  let recording: SelectRecording

  before(async () => {
    recording = recordSelects()
    app = await openTestApp()
    recording.isRecording = false // no queries that fill the account
    small = await manyRows(app, few)
    large = await manyRows(app, many)
    recording.isRecording = true
  })
  after(async () => {
    recording.stop()
    await app[Symbol.asyncDispose]()
  })

  const msOf = async ({ key }: ManyRows, path: string) => {
    const begun = performance.now()
    const { status, body } = await app.api('GET', path, { key })
    expect(status, `${path} ${JSON.stringify(body)}`).to.equal(200)
    return performance.now() - begun
  }

  it('does not grow with the rows of the account, with any filters', async () => {
    expect(await slowOnes(Object.keys(requests(small)))).to.deep.equal([])
  })

  /** The requests that were slower with more rows in every measurement: noise does not repeat. */
  async function slowOnes(names: string[]): Promise<string[]> {
    const [ofSmall, ofLarge] = [requests(small), requests(large)]
    let slow = names
    for (let pass = 0; pass < passes && slow.length > 0; pass++) {
      const again: string[] = []
      for (const name of slow) if (await isSlow(ofSmall[name]!, ofLarge[name]!)) again.push(name)
      slow = again
    }
    return slow
  }

  /** Compares the minimum times of several rounds, as a busy machine makes single rounds slow. */
  async function isSlow(ofSmall: string, ofLarge: string): Promise<boolean> {
    let [less, more] = [Infinity, Infinity]
    for (let round = 0; round < rounds; round++) {
      less = Math.min(less, await msOf(small, ofSmall))
      more = Math.min(more, await msOf(large, ofLarge))
      if (round >= 2 && more < less * maxRatio / 2) break
    }
    return more > less * maxRatio
  }

  it('of a search does not grow while the mail of a deleted address is being removed', async () => {
    const unmark = await markMailboxesRemoved(app, [small, large].map(({ addressId }) => addressId))
    const paths = Object.entries(requests(small)).filter(([name]) => name.includes('q=') && !name.includes('address_id'))
    expect(await slowOnes(paths.map(([name]) => name))).to.deep.equal([])
    await unmark()
  })

  it('of addresses does not grow with the addresses whose domain was removed', async () => {
    await bindAddresses(app, false)
    expect(await slowOnes(Object.keys(requests(small)).filter((name) => /addresses|^analytics$/.test(name)))).to.deep.equal([])
    await bindAddresses(app, true)
  })

  it('is limited by indexes: no query scans a table or sorts more than a page', async () => {
    const paths = Object.values(requests(small))
    for (const path of paths) await msOf(small, path)
    recording.isRecording = false
    // the indexer runs meanwhile: it looks for the first mail of its queue, and counts the queue for metrics
    const ofLists = [...recording.selects].filter((sql) => !sql.includes('from "email_search_pending"') || sql.includes('"account_id" = '))
    const plans = queryPlans(app, ofLists)
    expect(plans.length).to.be.greaterThan(20)
    const tables = ['emails', 'messages', 'addresses', 'audit_logs', 'webhook_deliveries', 'forwarding_addresses', 'deliveries', 'email_search_rows',
      'email_search_pending', 'email_counts', 'daily_counts', 'message_excerpts', 'attachments', 'domains', 'webhooks']
    const scans = new RegExp(`^SCAN (${tables.join('|')})\\b`)
    // short lists: an account has at most a hundred domains, and few addresses whose expiry is not marked yet
    const isSorted = ({ sql, details }: typeof plans[number]) =>
      details.some((detail) => /TEMP B-TREE/.test(detail)) && !sql.includes('as "due"') && !sql.startsWith('select * from "domains"')
    expect(plans.filter(({ details }) => details.some((detail) => scans.test(detail)))).to.deep.equal([])
    expect(plans.filter(isSorted)).to.deep.equal([])
  })
})
