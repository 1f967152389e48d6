import type { ServerFacts } from '../../server/store/inspect.ts'
import { ok, problem, warning } from './check.ts'
import type { Check, Finding } from './check.ts'
import { inWords } from './disk.ts'

/** Settings of a PostgreSQL server, its clock and its connections. */
export const databaseServer: Check = {
  name: 'database-server',
  appliesTo: ({ database }) => database.kind === 'server',
  async run({ config, database }) {
    if (database.kind !== 'server') return []
    const { facts } = database
    const wrong = [...lossy(facts), ...connections(facts, config.parseThreads), ...clock(facts), ...pooler(facts)]
    const { max, used } = facts.connections
    return [...wrong, ok(`PostgreSQL ${versionOf(facts)}, ${inWords(facts.bytes)}, ${used} of ${max} connections in use, ${countOf(facts.nodes)}`)]
  },
}

const countOf = (nodes: number) => `${nodes} ${nodes === 1 ? 'node' : 'nodes'}`

/** From 10, a version has two parts, such as 170004. */
const versionOf = ({ version }: ServerFacts) => `${Math.floor(version / 10_000)}.${version % 10_000}`

/** The damage of a crash, by the setting that is off. */
const losses = {
  fsync: 'a crash of its machine can destroy the whole database',
  full_page_writes: 'a crash of its machine can destroy pages of the database',
  synchronous_commit: 'a crash loses mail that was accepted with 250',
}

function lossy({ settings }: ServerFacts): Finding[] {
  const names = ['fsync', 'full_page_writes', 'synchronous_commit'] as const
  const leavesStandby = settings.synchronous_commit === 'local' && settings.synchronous_standby_names !== ''
  return [
    ...names.filter((name) => settings[name] === 'off').map((name) => problem(`${name} is off: ${losses[name]}`, setOn(name))),
    ...leavesStandby
      ? [warning('synchronous_commit is local: a fail-over to a standby loses mail that was accepted with 250', setOn('synchronous_commit'))]
      : [],
  ]
}

const setOn = (name: string) => `Set ${name} to on in postgresql.conf, and for the user and the database of Mayfly.`

function connections({ connections: { max, ofNode, ofThread }, nodes }: ServerFacts, parseThreads: number): Finding[] {
  const each = ofNode + (parseThreads - 1) * ofThread
  const needed = Math.max(nodes, 1) * each
  return needed <= max ? [] : [warning(
    `${countOf(Math.max(nodes, 1))} may open ${needed} connections, ${each} each, and the server takes ${max}`,
    'Raise max_connections, with room for one more node, for back-ups and for the command line.')]
}

/** Nodes take the time of the server for jobs and ids. The time of this machine is that of the log, of certificates and of signatures. */
const maxAheadMs = 2_000

function clock({ clock: { aheadMs, errorMs } }: ServerFacts): Finding[] {
  if (Math.abs(aheadMs) - errorMs <= maxAheadMs) return []
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1)
  return [warning(`its clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the one of this machine`, 'Let NTP set both.')]
}

function pooler({ pooler }: ServerFacts): Finding[] {
  if (pooler === 'none') return []
  if (pooler === 'sessions') return [warning('a pooler stands between this machine and the server', 'Connect to the server itself: a node keeps connections of its own.')]
  return [problem('a pooler in transaction mode stands between this machine and the server: LISTEN and locks of a session are lost',
    'Connect to the server itself, or let the pooler give out sessions.')]
}
