import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { listRequests } from '../support/list-requests.ts'
import { manyRows } from '../support/store/many-rows.ts'
import type { ManyRows } from '../support/store/many-rows.ts'
import { queryPlans, recordSelects } from '../support/store/queries.ts'
import type { SelectRecording } from '../support/store/queries.ts'

describe('Lists: plans of SQLite', function () {
  let app: TestApp
  let rows: ManyRows
  let recording: SelectRecording

  before(async () => {
    recording = recordSelects()
    app = await openTestApp()
    recording.isRecording = false // no queries that fill the account
    rows = await manyRows(app, 1_000)
    recording.isRecording = true
  })
  after(async () => {
    recording.stop()
    await app[Symbol.asyncDispose]()
  })

  it('no query scans a table or sorts more than a page', async () => {
    for (const path of Object.values(listRequests(rows))) expect((await app.api('GET', path, { key: rows.key })).status, path).to.equal(200)
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
