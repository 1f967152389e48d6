import type { ServerFacts } from '../../server/store/inspect.ts'
import { ok, warning } from './check.ts'
import type { Check, Finding } from './check.ts'
import { inWords } from './disk.ts'

/** Beyond these, dead rows slow down a server with much mail. A test compares them with the alerts. */
export const limits = { seconds: 3_600, transactions: 1_000_000, deadRows: 1_000_000, deadShare: 0.2, lockMs: 500 }

/** Dead rows of a PostgreSQL server, what keeps them, and the wait of commits for one another. */
export const databaseLoad: Check = {
  name: 'database-load',
  appliesTo: ({ database }) => database.kind === 'server',
  async run({ database }) {
    if (database.kind !== 'server') return []
    const { figures, lockMs } = database.facts
    if (!figures) return [...waits(lockMs), warning('its statistics could not be read within a second', 'Run this again.')]
    return [...figures.holders.flatMap(heldBack), ...figures.tables.flatMap(dead), ...waits(lockMs), summary(figures, lockMs)]
  },
}

type Figures = NonNullable<ServerFacts['figures']>
type Holder = Figures['holders'][number]

/** Names, and the way out. */
const holders: Record<Holder['kind'], [name: string, advice: string]> = {
  transaction: ['a transaction', 'pg_stat_activity has it by its backend_xmin: end it with pg_terminate_backend, unless it is a dump that has to finish.'],
  prepared: ['a prepared transaction', 'pg_prepared_xacts has its name: commit it, or roll it back.'],
  standby: ['a query of a standby', 'End it there, or set hot_standby_feedback to off there.'],
  slot: ['a replication slot', 'pg_replication_slots has its name: drop it, unless something still reads it.'],
}

function heldBack({ kind, transactions, seconds }: Holder): Finding[] {
  if (transactions < limits.transactions && (seconds ?? 0) < limits.seconds) return []
  const [name, advice] = holders[kind]
  const age = seconds === null ? '' : ` of ${(seconds / 3_600).toFixed(1)} hours`
  return [warning(`${name}${age}, ${transactions} transactions old, keeps vacuum from removing dead rows`, advice)]
}

const shareOf = (dead: number, live: number) => dead / Math.max(1, dead + live)

function dead({ name, liveRows, deadRows }: Figures['tables'][number]): Finding[] {
  if (deadRows < limits.deadRows || shareOf(deadRows, liveRows) < limits.deadShare) return []
  return [warning(`${deadRows} rows of ${name} are dead, ${liveRows} are not`,
    'Look for what keeps vacuum from removing them, then let autovacuum begin earlier: docs/postgres.md.')]
}

const waits = (lockMs: number): Finding[] => lockMs < limits.lockMs ? [] : [warning(
  `a commit waits ${(lockMs / 1_000).toFixed(1)} s for those of other nodes`, 'Look for a slow disk of the server, a distant standby, or a node that hangs.')]

function summary({ tables, holders }: Figures, lockMs: number): Finding {
  const sum = (of: (table: Figures['tables'][number]) => number) => tables.reduce((total, table) => total + of(table), 0)
  const share = 100 * shareOf(sum(({ deadRows }) => deadRows), sum(({ liveRows }) => liveRows))
  const oldest = Math.max(0, ...holders.map(({ seconds }) => seconds ?? 0))
  return ok(`tables ${inWords(sum(({ rowBytes }) => rowBytes))}, indexes ${inWords(sum(({ indexBytes }) => indexBytes))}, ${share.toFixed(0)} % of the rows dead, `
    + `oldest transaction ${oldest.toFixed(0)} s, ${lockMs.toFixed(1)} ms until a commit has its turn`)
}
