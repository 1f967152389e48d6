import { fileURLToPath } from 'node:url'
import { setTimeout as pass } from 'node:timers/promises'
import { startServer } from '../../crash/server.ts'
import { runOnPostgres } from '../../support/postgres.ts'
import { startPostgres } from '../../support/postgres-server.ts'
import { openBalancer } from './balancer.ts'

export interface Node {
  server: Awaited<ReturnType<typeof startServer>>
  skewMs: number
  isSuspended: boolean
  /** Whether the balancers pass connections to it. */
  isListed: boolean
}

interface WorldOptions {
  folder: string
  /** How far the clock of each node is ahead, in milliseconds. */
  skewsMs: number[]
  /** Settings of all nodes. */
  variables?: Record<string, string>
}

const skewedClock = fileURLToPath(new URL('./skewed-clock.js', import.meta.url))

/** Nodes in processes of their own, on a PostgreSQL server of their own, behind a balancer for HTTP and one for SMTP. */
export async function openWorld({ folder, skewsMs, variables = {} }: WorldOptions) {
  const postgres = await startPostgres()
  const database = postgres.url('postgres')
  const start = (skewMs: number) => startServer(folder, {
    MAYFLY_DATABASE: database,
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${skewedClock}`,
    TEST_CLOCK_SKEW_MS: String(skewMs),
    ...variables,
  })
  const nodes: Node[] = await Promise.all(skewsMs.map(async (skewMs) =>
    ({ server: await start(skewMs), skewMs, isSuspended: false, isListed: true })))
  const portsOf = (portOf: (node: Node) => number) => () => nodes.filter(({ isListed }) => isListed).map(portOf)
  const takeoversMs: Promise<number>[] = []
  const http = await openBalancer(portsOf(({ server }) => Number(new URL(server.url).port)))
  const smtp = await openBalancer(portsOf(({ server }) => server.smtpPort))
  return {
    nodes, postgres, database,
    key: nodes.map(({ server }) => server.key).find((key) => key !== '')!,
    url: `http://127.0.0.1:${http.port}`,
    smtpPort: smtp.port,
    /** The times until other nodes had the jobs of a killed one, in milliseconds. */
    takeoversMs,
    /** Kills a node, and starts another one in its place. */
    async replace(node: Node) {
      const { child, exited } = node.server
      const ids = await untilRun(database, `select id from nodes where label like '%/${child.pid}'`)
      child.kill('SIGKILL')
      await exited
      takeoversMs.push(...ids.map(({ id }) => takeoverOf(database, String(id))))
      node.server = await start(node.skewMs)
    },
    /** Restarts a node as a rolling update does: it is not listed any more as soon as it is not ready. */
    async restart(node: Node) {
      const { child, exited, url } = node.server
      child.kill('SIGTERM')
      while ((await fetch(`${url}/readyz`).catch(() => undefined))?.ok) await pass(20)
      node.isListed = false
      await exited
      node.server = await start(node.skewMs)
      node.isListed = true
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([http[Symbol.asyncDispose](), smtp[Symbol.asyncDispose]()])
      for (const { server } of nodes) server.child.kill('SIGCONT')
      for (const { server } of nodes) server.child.kill('SIGTERM')
      await Promise.all(nodes.map(({ server }) => server.exited))
      await postgres.stop()
    },
  }
}

/** @returns the time until no job is claimed by a node that is dead */
async function takeoverOf(database: string, nodeId: string): Promise<number> {
  const begun = performance.now()
  while ((await untilRun(database, `select 1 from jobs where claimed_by = '${nodeId}' limit 1`)).length > 0) await pass(200)
  return Math.round(performance.now() - begun)
}

/** Time in which the database comes back. */
const maxAwayMs = 60_000

/** Runs a statement when the database is there. */
export async function untilRun(database: string, statement: string): Promise<Record<string, unknown>[]> {
  const deadline = performance.now() + maxAwayMs
  for (;;) {
    try {
      return await runOnPostgres(database, statement)
    } catch (error) {
      if (performance.now() > deadline) throw error
      await pass(100)
    }
  }
}
