import { AsyncLocalStorage } from 'node:async_hooks'
import type { Engine } from './engine.ts'

const accounts = new AsyncLocalStorage<string>()

/**
 * Runs work whose queries are those of an account: an engine with few connections lets no account use all of them. Does nothing for an
 * engine in this process.
 */
export const runForAccount = <T>({ engine }: { engine: Engine }, accountId: string, work: () => T): T =>
  engine.file ? work() : accounts.run(accountId, work)

/** The account whose query runs now; empty for queries of the server, such as the lookup of an API key. */
export const accountOfQuery = (): string => accounts.getStore() ?? ''
