import Sqlite from 'better-sqlite3'
import { expect } from 'chai'
import { idBoundary } from '../../server/ids.ts'
import { openWebhooksWorld } from './world.ts'
import type { WebhooksWorld } from './world.ts'

const count = 1100
const atOnce = 250

describe('Webhook backlog: many deliveries', () => {
  let world: WebhooksWorld
  let sqlite: Sqlite.Database
  let id: string
  let steps: number[]

  beforeEach(async () => {
    world = await openWebhooksWorld()
    sqlite = new Sqlite(world.app.app.config.database, { timeout: 10_000 })
    id = (await world.subscribe({ events: ['address.created'] })).id
  })
  afterEach(async () => {
    sqlite.close()
    await world[Symbol.asyncDispose]()
  })

  /** Adds deliveries of the webhook with jobs that are due in an hour, and records how many deliveries each later commit ends. */
  function fill(status: 'pending' | 'succeeded') {
    const now = world.now()
    const row = `printf('${idBoundary(now)}-7000-8000-%012d', i)`
    const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
    const account = sqlite.prepare('select account_id from webhooks where id = ?').pluck().get(id) as string
    sqlite.exec(`${numbers} insert into webhook_deliveries (id, webhook_id, event_id, event, payload, attempt, is_counted, status, due_at, created_at)
      select ${row}, '${id}', ${row}, 'address.created', '{"timestamp":0}', 2, 1, '${status}', ${now + 3_600_000}, ${now} from n`)
    if (status === 'pending') {
      sqlite.exec(`${numbers} insert into jobs (id, task, lane, payload, run_at)
        select ${row}, 'deliver-webhook', '${account}/${id}', json_object('deliveryId', ${row}), ${now + 3_600_000} from n`)
    }
    let before = left(status)
    steps = []
    world.app.app.db.commits.on('committed', () => {
      const now = left(status)
      steps.push(before - now)
      before = now
    })
  }

  /** Counts the added deliveries, which are second attempts. */
  const left = (status: string) => sqlite.prepare(`select count(*) from webhook_deliveries
    where webhook_id = ? and status = ? and attempt = 2`).pluck().get(id, status) as number
  const jobs = () => sqlite.prepare(`select count(*) from jobs where task = 'deliver-webhook'`).pluck().get() as number

  for (const status of ['succeeded', 'pending'] as const) {
    it(`that are ${status} are removed in small steps when the webhook is deleted, and invisible at once`, async () => {
      fill(status)
      expect((await world.app.api('DELETE', `/webhooks/${id}`)).status).to.equal(200)
      expect((await world.app.api('GET', `/webhooks/${id}/deliveries`)).status).to.equal(404)
      await world.app.settled()
      expect([left(status), jobs()]).to.deep.equal([0, 0])
      expect(Math.max(...steps)).to.equal(atOnce)
      await world.app.advance({ hours: 2 })
      expect(world.endpoint.deliveries).to.deep.equal([])
    })
  }

  it('fail in small steps when the webhook is disabled, also when it is enabled again during the steps', async () => {
    fill('pending')
    const { app, endpoint } = world
    const [off, on] = await Promise.all([false, true].map((isActive) => app.api('PATCH', `/webhooks/${id}`, { body: { isActive } })))
    expect([off!.status, on!.status]).to.deep.equal([200, 200])
    await app.api('PATCH', `/webhooks/${id}`, { body: { isActive: true } })
    await app.newAddress()
    await app.settled()
    expect(endpoint.deliveries).to.have.length(1)
    expect([left('pending'), left('failed')]).to.deep.equal([0, count])
    expect(Math.max(...steps)).to.equal(atOnce)
    const { data } = (await app.api('GET', `/webhooks/${id}/deliveries?offset=1`)).body
    expect(data[0]).to.include({ status: 'failed', sentAt: null, error: 'The webhook was disabled before this attempt.' })
    await app.advance({ hours: 2 })
    expect(endpoint.deliveries).to.have.length(1)
    expect(jobs()).to.equal(0)
  })

  it('are not posted while the webhook is disabled', async () => {
    const { app, endpoint } = world
    await app.app.db.commit(async (tx) => { await tx.sql.updateTable('webhooks').set({ is_active: 0 }).where('id', '=', id).execute() })
    fill('pending')
    await app.advance({ hours: 2 })
    await app.api('POST', `/webhooks/${id}/test`)
    await app.settled()
    expect(endpoint.deliveries).to.have.length(1)
    expect(jobs()).to.equal(0)
  })
})
