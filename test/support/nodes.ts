import { openServer, openTestApp } from './app.ts'
import type { TestApp, TestOptions } from './app.ts'
import { createFirstKey } from '../../server/domain/accounts.ts'
import { newPostgresDatabase } from './postgres.ts'

export interface TestNodes extends AsyncDisposable {
  /** The URL of their database. */
  database: string
  /** Servers on the system's clock, with the account of the first one. */
  nodes: TestApp[]
  /** Opens a further node. */
  open(options?: TestOptions): Promise<TestApp>
}

/** Opens several servers on one PostgreSQL database. @param options of all of them */
export async function openNodes(count: number, options: TestOptions = {}): Promise<TestNodes> {
  const database = await newPostgresDatabase()
  const nodes: TestApp[] = []
  const close = async () => {
    for (const node of nodes.splice(0).reverse()) await node[Symbol.asyncDispose]()
  }
  const open = async (own: TestOptions = {}) => {
    const account = nodes[0] && { account: nodes[0] }
    const node = await openTestApp({ isRealTime: own.clock === undefined, ...options, ...own, database, ...account })
    nodes.push(node)
    return node
  }
  try {
    while (nodes.length < count) await open()
  } catch (error) {
    await close()
    throw error
  }
  return { database, nodes, open, [Symbol.asyncDispose]: close }
}

/** Starts servers at once, as `mayfly serve` does. @returns the servers, and the first key that each has made, if it has made one */
export async function startNodes(count: number, database: string) {
  return Promise.all(Array.from({ length: count }, async () => {
    const app = await openServer({ database })
    return { app, first: await createFirstKey(app) }
  }))
}
