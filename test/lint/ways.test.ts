import { Session } from 'node:inspector/promises'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { Mayfly } from '../../sdk/index.ts'
import { openWebhooksWorld } from '../webhooks/world.ts'
import type { WebhooksWorld } from '../webhooks/world.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Files of the lists that have no function, run in a thread, or are for another case. */
const notCalled = new Set([
  'server/http/handlers/index.ts', 'server/domain/plans.ts', // constants
  'server/store/accounts/api-keys.ts', // for a key that is not in memory
  'server/http/wire/session-cookie.ts', 'server/domain/sessions.ts', // without a key
  'server/http/operations/faults.ts', // on request
  'server/smtp/server.ts', 'server/domain/recipients.ts', 'server/smtp/limited-server.ts', // at the start, for other recipients
  // in a thread
  'server/intake/thread-main.ts', 'server/intake/parse-thread.ts', 'server/intake/parse-budget.ts', 'server/intake/write-thread.ts',
  'server/intake/database-thread.ts', 'server/mime/read-message.ts',
  'server/mime/parse/read-content.ts', 'server/mime/extract/codes.ts', 'server/mime/extract/links.ts', 'server/domain/publishing.ts',
  'server/store/mail/messages.ts', 'server/store/mail/emails.ts', 'server/store/events/outbox.ts', 'server/domain/forwards.ts',
  'server/domain/return-path.ts',
  'server/outbound/dns.ts', 'server/network.ts', // the endpoint is an address, and may be private
  'server/domain/webhooks.ts', // after the fifth failure
])

/** Files that a request calls and its list leaves out: helpers, background work and timers, and middleware of other paths. */
const isLeftOut = (path: string) => /^server\/(?:[\w-]+\.ts$|config\/|intake\/|smtp\/|worker\/|metrics\/|store\/search\/)/.test(path)
  || /^server\/(?:http\/(?:health|operations\/reply-check|pages\/)|store\/(?:changes\/(?:prepared|commit-rate|locks)|owner|events\/feed))/.test(path)
  || /^server\/store\/engines\/sqlite\/(?:write-ahead-log|open)\.ts$/.test(path) // a checkpoint, what the disk has left
  || path === 'server/store/accounts/api-keys.ts' // at intervals
  || path === 'server/store/engines/sqlite/open.ts' // functions that do nothing

/** The files that the numbered list of a section of ARCHITECTURE.md names. */
function filesOfWay(title: string): string[] {
  const section = readFileSync(`${root}ARCHITECTURE.md`, 'utf8').split(/^## /m).find((text) => text.startsWith(title))!
  const list = section.slice(section.indexOf('\n1. ')).split('\n\n')[0]!
  const paths = [...list.matchAll(/`([\w/-]+(?:\.gen)?\.ts)`/g)].map(([, path]) => path!)
  return paths.map((path) => existsSync(root + path) ? path : `server/${path}`)
}

/** The files of the server and the SDK of which the main thread calls a function during `run`. */
async function calledFiles(run: () => Promise<unknown>): Promise<string[]> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage') // resets the counts
  await run()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const folder = new URL('../..', import.meta.url).href
  return result.filter(({ functions }) => functions.some(({ ranges }) => ranges[0]!.count > 0))
    .map(({ url }) => url.replace(folder, '')).filter((path) => /^(server|sdk)\//.test(path))
}

describe('Documents: the ways of ARCHITECTURE.md', () => {
  let world: WebhooksWorld
  let inbox: { id: string, address: string }
  before(async () => {
    world = await openWebhooksWorld({ isRealTime: true })
    inbox = await world.app.newAddress()
    await send('first')
  })
  after(() => world[Symbol.asyncDispose]())

  async function send(subject: string) {
    // each sender is new, so the results of no other mail hold for it
    await world.app.send({ to: inbox.address, from: `${subject}@example.org`, subject, text: 'Your code is 482913.' })
    await world.app.settled()
  }

  const post = (alias: string) => world.app.api('POST', '/addresses', { body: { alias }, headers: { 'Idempotency-Key': alias } })

  async function expectCalled(title: string, run: () => Promise<unknown>) {
    const called = await calledFiles(run)
    const listed = filesOfWay(title)
    expect(listed.length).to.be.greaterThan(10)
    expect(listed.filter((path) => !called.includes(path) && !notCalled.has(path))).to.deep.equal([])
    return called.filter((path) => !listed.includes(path))
  }

  it('list the files that POST /addresses calls, and no others', async () => {
    const others = await expectCalled('A request', () => post('ways'))
    expect(others.filter((path) => !isLeftOut(path))).to.deep.equal([])
  })

  it('list files that a received mail calls', async () => {
    await expectCalled('A mail', () => send('second'))
  })

  it('list files that a webhook delivery calls', async () => {
    await world.subscribe()
    await expectCalled('A job', async () => {
      await post('ways-of-a-webhook')
      await world.app.settled()
    })
  })

  it('list files that emails.waitFor of the SDK calls', async () => {
    const mayfly = new Mayfly({ apiKey: world.app.key, baseUrl: world.app.url })
    await expectCalled('A wait', async () => {
      const email = mayfly.emails.waitFor({ addressId: inbox.id, after: new Date(0), subject: /third/ })
      await send('third')
      await email
    })
  })
})
