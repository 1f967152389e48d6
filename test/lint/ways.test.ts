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
  'server/http/operations/faults.ts', 'server/store/accounts/api-keys.ts', // with the header, for a key that is not in memory
  'server/http/wire/session-cookie.ts', 'server/domain/sessions.ts', // without a key
  'server/smtp/server.ts', 'server/smtp/limited-server.ts', 'server/http/server.ts', // at the start
  // in a thread
  'server/intake/thread-main.ts', 'server/intake/mail-thread.ts', 'server/intake/parse-budget.ts', 'server/mime/read-message.ts',
  'server/mime/parse/read-content.ts', 'server/mime/extract/codes.ts', 'server/mime/extract/links.ts', 'server/domain/publishing.ts',
  'server/store/mail/messages.ts', 'server/store/mail/emails.ts', 'server/store/events/outbox.ts', 'server/domain/forwards.ts',
  'server/domain/return-path.ts',
  'server/outbound/dns.ts', 'server/network.ts', // the endpoint is an address, and may be private
  'server/domain/webhooks.ts', // after the fifth failure
])

/** Work that a commit or a timer wakes, and that the request does not wait for; and what only the servers of tests have. */
const background = new RegExp(`^server/(?:${[
  'worker/', 'intake/', 'store/search/', 'smtp/', 'store/database', 'store/events/feed', 'store/engines/sqlite/(?:disk-reserve|write-ahead-log|search/)',
  'http/operations/reply-check', 'http/health',
].join('|')})`)

/** Helpers that the list leaves out: the files beside app.ts, and prepared statements. */
const isHelper = (path: string) => /^server\/(?:[\w-]+\.ts$|metrics\/|turns\/|store\/(?:changes\/prepared|owner))/.test(path)

/** The files that the numbered list of a section of ARCHITECTURE.md names. */
function filesOfWay(title: string): string[] {
  const section = readFileSync(`${root}ARCHITECTURE.md`, 'utf8').split(/^## /m).find((text) => text.startsWith(title))!
  const list = section.slice(section.indexOf('\n1. ')).split('\n\n')[0]!
  const paths = [...list.matchAll(/`([\w/-]+(?:\.gen)?\.ts)`/g)].map(([, path]) => path!)
  return paths.map((path) => existsSync(root + path) ? path : `server/${path}`)
}

const session = new Session()

type Calls = Map<string, Set<string>>

/** The functions, by name and place, of each file of the server and the SDK that the main thread calls during `run`. */
async function callsOf(run: () => Promise<unknown>): Promise<Calls> {
  await session.post('Profiler.takePreciseCoverage') // resets the counts
  await run()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const folder = new URL('../..', import.meta.url).href
  return new Map(result
    .map(({ url, functions }) => {
      const called = functions.filter(({ ranges }) => ranges[0]!.count > 0)
      return [url.replace(folder, ''), new Set(called.map(({ functionName, ranges }) => `${functionName}:${ranges[0]!.startOffset}`))] as const
    })
    .filter(([path, functions]) => /^(server|sdk)\//.test(path) && functions.size > 0))
}

const functionsOf = (calls: Calls) => [...calls.values()].reduce((sum, { size }) => sum + size, 0)

/** The files that some runs enter together, each perhaps only in some of them. */
async function filesOf(run: (round: number) => Promise<unknown>): Promise<Set<string>> {
  const files: string[] = []
  for (let round = 0; round < 5; round++) files.push(...(await callsOf(() => run(round))).keys())
  return new Set(files)
}

/** Prints how many files and functions a way enters, and fails beyond a number of each. @param others files that do not count */
function expectAtMost(
  maxFiles: number, way: string, calls: Calls, others: (path: string) => boolean, maxFunctions = Infinity,
) {
  const entered = [...calls].filter(([path]) => !others(path))
  console.log(`      ${way}: ${entered.length} files, ${functionsOf(new Map(entered))} functions; with background work ${calls.size} files`)
  expect(entered.length, entered.map(([path]) => path).join(' ')).to.be.at.most(maxFiles)
  const names = entered.flatMap(([path, functions]) => Array.from(functions, (name) => `${path} ${name}`))
  expect(names.length, names.join('\n')).to.be.at.most(maxFunctions)
}

const isBackground = (path: string) => background.test(path)

/** Work after the 250 of a mail: its jobs, the index, the feed and the log of the database. */
const afterMail = /^server\/(?:worker\/|http\/|intake\/search-indexing|store\/(?:jobs\/|search\/|events\/feed|engines\/sqlite\/))/

describe('Documents: the ways of ARCHITECTURE.md', () => {
  let world: WebhooksWorld
  let inbox: { id: string, address: string }
  before(async () => {
    world = await openWebhooksWorld({ isRealTime: true })
    inbox = await world.app.newAddress()
    await send('first')
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  })
  after(async () => {
    session.disconnect()
    await world[Symbol.asyncDispose]()
  })

  async function send(subject: string) {
    // each sender is new, so the results of no other mail hold for it
    await world.app.send({ to: inbox.address, from: `${subject}@example.org`, subject, text: 'Your code is 482913.' })
    await world.app.settled()
  }

  /** The functions that each of some runs calls: timers and commits of earlier calls add some, on a busy machine to most runs. */
  async function callsOfAll(run: (round: number) => Promise<unknown>, rounds = 10): Promise<Calls> {
    let ofAll: Calls | undefined
    for (let round = 0; round < rounds; round++) {
      await world.app.app.http.flush() // the audit records of the round before
      const calls = await callsOf(() => run(round))
      ofAll = new Map([...ofAll ?? calls]
        .map(([path, functions]) => [path, new Set([...functions].filter((each) => calls.get(path)?.has(each)))]))
    }
    return new Map([...ofAll!].filter(([, { size }]) => size > 0))
  }

  const post = (alias: string) => world.app.api('POST', '/addresses', { body: { alias }, headers: { 'Idempotency-Key': alias } })

  /** @returns the files of the list */
  async function expectCalled(title: string, run: () => Promise<unknown>) {
    const calls = await callsOf(run)
    const listed = filesOfWay(title)
    expect(listed.length).to.be.greaterThan(10)
    expect(listed.filter((path) => !calls.has(path) && !notCalled.has(path))).to.deep.equal([])
    return listed
  }

  it('list the files that POST /addresses calls, and no others', async () => {
    const listed = await expectCalled('A request', () => post('ways'))
    const calls = await callsOfAll((round) => post(`ways-${round}`))
    const others = [...calls.keys()].filter((path) => !listed.includes(path))
    expect(others.filter((path) => !background.test(path) && !isHelper(path))).to.deep.equal([])
    expectAtMost(38, 'POST /addresses', calls, isBackground)
  })

  it('are short for GET /addresses/{id}', async () => {
    const calls = await callsOfAll(() => world.app.api('GET', `/addresses/${inbox.id}`), 50)
    expectAtMost(20, 'GET /addresses/{id}', calls, isBackground, 70)
  })

  it('enter two files more at most for a read in the classic dialect', async () => {
    const headers = { 'x-mayfly-dialect': 'classic' }
    for (const path of [`/addresses/${inbox.id}`, '/addresses', '/emails', '/domains', '/webhooks', '/audit-logs']) {
      await world.app.api('GET', path, { headers }) // reads the document
      const [primary, classic] = [
        await callsOfAll(() => world.app.api('GET', path)), await callsOfAll(() => world.app.api('GET', path, { headers })),
      ]
      const more = [...classic.keys()].filter((file) => !primary.has(file) && !isBackground(file))
      expect(more.length, `${path}: ${more.join(' ')}`).to.be.within(1, 2)
    }
  })

  it('list files that a received mail calls', async () => {
    await expectCalled('A mail', () => send('second'))
    const others = (path: string) => afterMail.test(path) || path === 'server/smtp/server.ts' // a timer, with each second
    expectAtMost(30, 'a mail on the main thread', await callsOfAll((round) => send(`again-${round}`)), others)
  })

  it('list files that a webhook delivery calls', async () => {
    const deliver = async (alias: string) => {
      await post(alias)
      await world.app.settled()
    }
    const ofChange = await filesOf((round) => deliver(`without-a-webhook-${round}`))
    await world.subscribe()
    await expectCalled('A job', () => deliver('ways-of-a-webhook'))
    const others = (path: string) => ofChange.has(path) || path.endsWith('write-ahead-log.ts')
    const calls = await callsOfAll((round) => deliver(`ways-of-a-webhook-${round}`))
    expectAtMost(16, 'a webhook delivery, beside its change', calls, others)
  })

  it('list files that emails.waitFor of the SDK calls', async () => {
    const ofMail = await filesOf((round) => send(`beside-${round}`))
    const mayfly = new Mayfly({ apiKey: world.app.key, baseUrl: world.app.url })
    const wait = async (subject: string) => {
      const email = mayfly.emails.waitFor({ addressId: inbox.id, after: new Date(0), subject: new RegExp(`^${subject}$`) })
      await send(subject)
      await email
    }
    await expectCalled('A wait', () => wait('third'))
    const others = (path: string) => ofMail.has(path) || isBackground(path) || path.startsWith('sdk/')
      || /^server\/store\/accounts\/(?:accounts|audit-logs)\.ts$/.test(path) // records of calls, which are written later
    expectAtMost(30, 'the server\'s part of a wait, beside its mail', await callsOfAll((round) => wait(`third-${round}`)), others)
  })
})
