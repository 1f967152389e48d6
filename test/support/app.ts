import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { createTransport } from 'nodemailer'
import type { SendMailOptions } from 'nodemailer'
import { openApp } from '../../server/app.ts'
import type { Overrides, RunningApp } from '../../server/app.ts'
import { readConfig } from '../../server/config/config.ts'
import { createAccount } from '../../server/domain/accounts.ts'
import { allScopes, createApiKey } from '../../server/domain/api-keys.ts'
import type { DialectName } from '../../server/dialects/dialects.ts'
import type { Plan } from '../../server/store/schema/values.ts'
import type { Email, EmailSummary } from '../../server/contract/types.gen.ts'
import { testClock } from './clock.ts'
import type { TestClock } from './clock.ts'
import { newDatabase, newFolder } from './new-database.ts'
import { noDns } from './no-dns.ts'
import { forgetMails } from './store/forget-mails.ts'
import { replyCheck } from './replies.ts'
import { reusedThreads } from './worker-threads.ts'

export interface TestOptions extends Overrides {
  /** `MAYFLY_…` variables. */
  env?: Record<string, string>
  /** The file of an existing database. */
  database?: string
  /** Uses the system's clock in place of a clock that stands still. */
  isRealTime?: boolean
  /** Uses an account of another server on the same database, in place of a new one. */
  account?: Pick<TestApp, 'account' | 'key'>
}

export interface ApiAnswer<T = any> {
  status: number
  headers: Headers
  body: T
}

/** Calls the API, by default with the key of the first account: `api('GET', '/addresses')`. */
type ApiCall = <T = any>(
  method: string, path: string, options?: { body?: unknown, headers?: Record<string, string>, key?: string | null, signal?: AbortSignal },
) => Promise<ApiAnswer<T>>

export interface TestApp extends AsyncDisposable {
  app: RunningApp
  url: string
  smtp: { host: string, port: number }
  /** The id of a Business account. */
  account: string
  /** A live key of it with every scope. */
  key: string
  api: ApiCall
  /** Creates a key of a new account, or of an existing one. */
  newKey(input?: { account?: string, plan?: Plan, scopes?: string[], isTest?: boolean, dialect?: DialectName }): Promise<string>
  /** Creates an address of the first account. */
  newAddress(input?: Record<string, unknown>): Promise<{ id: string, address: string }>
  /** Sends a mail over SMTP. */
  send(mail: SendMailOptions): Promise<void>
  /** Waits until the queue is empty; mail that was answered 250 is published then. */
  settled(): Promise<void>
  /** The only email of an address, once it is published. */
  onlyEmail(addressId: string): Promise<Email>
  listEmails(query?: Record<string, string>): Promise<EmailSummary[]>
  advance(time: { seconds?: number, minutes?: number, hours?: number, days?: number }): Promise<void>
  folder: string
}

/** Opens the real server on free ports of 127.0.0.1, with its own database and clock. Every answer is compared with the document. */
export async function openTestApp(options: TestOptions = {}): Promise<TestApp> {
  const server = await openTestServer(options)
  try {
    return await toTestApp(server, options.account)
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
}

/**
 * One server for all tests of a suite, which takes less time than one for each: it opens before them and closes after them.
 * @returns a function that gives a test the server with an account of its own, the clock at its start and no counted mail; the queue is
 * that of all tests
 */
export function shareTestApp(options: TestOptions = {}): () => Promise<TestApp> {
  let server: TestServer
  before(async () => { server = await openTestServer(options) })
  after(() => server[Symbol.asyncDispose]())
  return async () => {
    await server.app.worker.settled() // jobs of earlier tests end before the clock goes back
    server.clock?.reset()
    await forgetMails(server.app.db)
    return { ...await toTestApp(server), async [Symbol.asyncDispose]() {} }
  }
}

interface TestServer extends AsyncDisposable {
  app: RunningApp
  folder: string
  clock: TestClock | undefined
}

async function openTestServer(options: TestOptions): Promise<TestServer> {
  const folder = await newFolder()
  const database = options.database ?? await newDatabase(join(folder, 'mayfly.db'))
  const clock = options.isRealTime ? undefined : options.clock as TestClock ?? testClock()
  const app = await openServer({ clock, ...options, database })
  return {
    app, folder, clock,
    async [Symbol.asyncDispose]() {
      await app.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The real server without an account, on the system's clock unless another is given. */
export async function openServer({ database, env, ...options }: Omit<TestOptions, 'account'> & { database: string }): Promise<RunningApp> {
  const config = readConfig({
    MAYFLY_HTTP_PORT: '0',
    MAYFLY_SMTP_PORT: '0',
    MAYFLY_DATABASE: database,
    MAYFLY_RATE_LIMIT: '1000000',
    MAYFLY_MIN_FREE_BYTES: '0',
    MAYFLY_DNS_SERVERS: await noDns(),
    ...env,
  })
  return openApp(config, { log: pino({ level: process.env['TEST_LOG'] ?? 'silent' }), replyCheck, threads: await reusedThreads(), ...options })
}

async function toTestApp(
  { app, folder, clock, [Symbol.asyncDispose]: dispose }: TestServer, existing?: Pick<TestApp, 'account' | 'key'>,
): Promise<TestApp> {
  let accounts = 0
  const newAccount = async (plan: Plan = 'business') => (await createAccount(app.db, `a${++accounts}-${app.db.newId()}@example.org`, plan)).id
  const newKey: TestApp['newKey'] = async (input = {}) => {
    const account = input.account ?? await newAccount(input.plan)
    const { scopes = allScopes, isTest = false, dialect } = input
    return (await createApiKey(app.db, { account, name: 'test', scopes, isTest, dialect })).key
  }
  const account = existing?.account ?? await newAccount()
  const key = existing?.key ?? await newKey({ account })
  const api: ApiCall = (method, path, call = {}) => callApi(app.http.url, method, path, { key, ...call })
  const listEmails = async (query: Record<string, string> = {}) =>
    (await api<{ data: EmailSummary[] }>('GET', `/emails?${new URLSearchParams(query)}`)).body.data

  return {
    app,
    url: app.http.url,
    smtp: { host: '127.0.0.1', port: app.smtp.port },
    account,
    key,
    api,
    newKey,
    listEmails,
    folder,
    settled: () => app.worker.settled(),
    newAddress: async (input = {}) => (await api('POST', '/addresses', { body: input })).body.data,
    async send(mail) {
      const transport = createTransport({ host: '127.0.0.1', port: app.smtp.port, tls: { rejectUnauthorized: false } })
      try {
        await transport.sendMail({ from: 'Shop <shop@example.org>', ...mail })
      } finally {
        transport.close()
      }
    },
    async onlyEmail(addressId) {
      await app.worker.settled()
      const listed = await listEmails({ address_id: addressId })
      if (listed.length !== 1) throw new Error(`the address has ${listed.length} emails, not one`)
      return (await api<{ data: Email }>('GET', `/emails/${listed[0]!.id}`)).body.data
    },
    async advance({ seconds = 0, minutes = 0, hours = 0, days = 0 }) {
      if (!clock) throw new Error('this app runs in real time')
      await clock.advance((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000, async () => {
        await app.worker.settled()
        await app.db.commit(async () => {}).catch(() => {}) // after the changes that timers have made, even where none can be stored
        await app.worker.settled() // they may have queued jobs
      })
    },
    [Symbol.asyncDispose]: dispose,
  }
}

async function callApi(
  url: string, method: string, path: string,
  call: { body?: unknown, headers?: Record<string, string>, key?: string | null, signal?: AbortSignal },
): Promise<ApiAnswer> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    signal: call.signal,
    headers: {
      ...(call.key ? { authorization: `Bearer ${call.key}` } : {}),
      ...(call.body !== undefined ? { 'content-type': 'application/json' } : {}),
      ...call.headers,
    },
    body: call.body === undefined ? undefined : typeof call.body === 'string' ? call.body : JSON.stringify(call.body),
  })
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const body = isJson ? await response.json() : Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, body }
}
