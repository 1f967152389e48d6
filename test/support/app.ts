import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createTransport } from 'nodemailer'
import type { SendMailOptions } from 'nodemailer'
import { openApp } from '../../server/app.ts'
import type { Overrides, RunningApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { createAccount } from '../../server/domain/accounts.ts'
import { createApiKey } from '../../server/domain/api-keys.ts'
import type { Plan } from '../../server/store/schema/values.ts'
import type { Email, EmailSummary } from '../../server/contract/types.gen.ts'
import { testClock } from './clock.ts'
import type { TestClock } from './clock.ts'
import { noDns } from './no-dns.ts'
import { replyCheck } from './replies.ts'
import { threadScripts } from './thread-scripts.ts'

export interface TestOptions extends Overrides {
  /** `MAYFLY_…` variables. */
  env?: Record<string, string>
  /** A database of before, to start again on. */
  database?: string
  /** The system's clock in place of one that stands still. */
  isRealTime?: boolean
}

export interface ApiAnswer<T = any> {
  status: number
  headers: Headers
  body: T
}

/** Calls the API as a key's owner: `api('GET', '/addresses')`. */
type ApiCall = <T = any>(
  method: string, path: string, options?: { body?: unknown, headers?: Record<string, string>, key?: string | null, signal?: AbortSignal },
) => Promise<ApiAnswer<T>>

export interface TestApp extends AsyncDisposable {
  app: RunningApp
  url: string
  smtp: { host: string, port: number }
  /** A live key of a Business account with every scope. */
  key: string
  api: ApiCall
  /** A key of an account of its own, or of one that is there. */
  newKey(wish?: { account?: string, plan?: Plan, scopes?: string[], isTest?: boolean }): Promise<string>
  /** An address of the first account. */
  newAddress(wish?: Record<string, unknown>): Promise<{ id: string, address: string }>
  /** Sends a mail over SMTP, as any client would. */
  send(mail: SendMailOptions): Promise<void>
  /** Waits for the work of the queue to be done; mail that was answered 250 is published then. */
  settled(): Promise<void>
  /** The one email of an address, once it is published. */
  onlyEmail(addressId: string): Promise<Email>
  listEmails(query?: Record<string, string>): Promise<EmailSummary[]>
  advance(time: { seconds?: number, minutes?: number, hours?: number, days?: number }): Promise<void>
  folder: string
}

/** The real server on free ports of 127.0.0.1, with a database and a clock of its own; every answer is checked. */
export async function openTestApp(options: TestOptions = {}): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-test-'))
  const clock = options.isRealTime ? undefined : testClock()
  const app = await openServer({ clock, ...options, database: options.database ?? join(folder, 'mayfly.db') })
  try {
    return await toTestApp(app, folder, options.clock as TestClock ?? clock)
  } catch (error) {
    await app.close()
    throw error
  }
}

/** The same without an account of its own, on the system's clock unless another is given. */
export async function openServer({ database, env, ...options }: TestOptions & { database: string }): Promise<RunningApp> {
  const config = readConfig({
    MAYFLY_HTTP_PORT: '0',
    MAYFLY_SMTP_PORT: '0',
    MAYFLY_DATABASE: database,
    MAYFLY_RATE_LIMIT: '1000000',
    MAYFLY_MIN_FREE_BYTES: '0',
    MAYFLY_DNS_SERVERS: await noDns(),
    ...env,
  })
  return openApp(config, { log: pino({ level: 'silent' }), replyCheck, threadScripts: await threadScripts(), ...options })
}

async function toTestApp(app: RunningApp, folder: string, clock: TestClock | undefined): Promise<TestApp> {
  let accounts = 0
  const newKey: TestApp['newKey'] = async (wish = {}) => {
    const account = wish.account ?? (await createAccount(app.db, `a${++accounts}-${app.db.newId()}@example.org`, wish.plan ?? 'business')).id
    return (await createApiKey(app.db, { account, name: 'test', scopes: wish.scopes ?? [], isTest: wish.isTest ?? false })).key
  }
  const key = await newKey()
  const api: ApiCall = (method, path, call = {}) => callApi(app.http.url, method, path, { key, ...call })
  const listEmails = async (query: Record<string, string> = {}) =>
    (await api<{ data: EmailSummary[] }>('GET', `/emails?${new URLSearchParams(query)}`)).body.data

  return {
    app,
    url: app.http.url,
    smtp: { host: '127.0.0.1', port: app.smtp.port },
    key,
    api,
    newKey,
    listEmails,
    folder,
    settled: () => app.worker.settled(),
    newAddress: async (wish = {}) => (await api('POST', '/addresses', { body: wish })).body.data,
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
      await clock.advance((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000, () => app.worker.settled())
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      await rm(folder, { recursive: true, force: true })
    },
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
