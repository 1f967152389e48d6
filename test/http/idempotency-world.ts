import { shareTestApp } from '../support/app.ts'
import type { ApiAnswer, TestApp } from '../support/app.ts'
import { removeKeys, storedKeys } from '../support/store/idempotency-keys.ts'

/** Calls of the server of a test with an Idempotency-Key, which comes first. */
export interface KeyWorld {
  app: TestApp
  ask(key: string, method: string, path: string, body?: unknown, more?: CallOptions): Promise<ApiAnswer>
  create(key: string, body?: unknown, more?: CallOptions): Promise<ApiAnswer>
  /** The number of addresses. */
  addresses(key?: string): Promise<number>
  /** The stored keys. */
  keys(): ReturnType<typeof storedKeys>
}

interface CallOptions {
  /** The API key, by default that of the first account. */
  key?: string
  headers?: Record<string, string>
}

const keyOptions = { env: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' } }

export const isReplay = ({ headers }: ApiAnswer) => headers.get('idempotency-replayed') === 'true'

/** One server for all tests of a suite, by default, with an account of its own and without stored keys for each test. */
export function useKeyWorld(newApp = shareTestApp(keyOptions)): KeyWorld {
  const world: KeyWorld = {
    app: undefined as never, // opened before each test
    ask: (key, method, path, body, more = {}) =>
      world.app.api(method, path, { key: more.key ?? world.app.key, body, headers: { ...more.headers, 'idempotency-key': key } }),
    create: (key, body = {}, more = {}) => world.ask(key, 'POST', '/addresses', body, more),
    addresses: async (key = world.app.key) => (await world.app.api('GET', '/addresses', { key })).body.data.total,
    keys: () => storedKeys(world.app),
  }
  beforeEach(async () => {
    world.app = await newApp()
    await removeKeys(world.app)
  })
  afterEach(() => world.app[Symbol.asyncDispose]())
  return world
}
