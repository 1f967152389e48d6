import { readMessage } from '../server/mime/read-message.ts'
import type { PostgresServer } from '../test/support/postgres-server.ts'
import type { MeasuredLoad } from './measured-service.ts'
import { familyMs, machineMs } from './processor-times.ts'
import { openPublishingThread } from './publishing-thread.ts'
import type { PublishingFigures, PublishingOptions } from './publishing-thread.ts'
import { median, processorMs } from './rounds.ts'
import type { GroupCost, ServiceCosts } from './simulated-service.ts'

/** Figures of one thread that publishes mails in groups of a size. */
export interface PublishedGroups extends PublishingFigures {
  groupSize: number
  databaseMs: number
  /** Processors that other work on this machine used meanwhile. */
  othersProcessors: number
}

export const groupSizes = [1, 16, 64]
const mailsOf = (groupSize: number) => groupSize === 1 ? 100 : 512
const roundsOfGroups = 3
/** Of the statements of a group, which a proxy has counted. */
const roundTrips = 6

/** For each size of a group, the round with the median throughput. The first round is left out: it compiles the code. */
export async function publishGroups(postgres: PostgresServer, options: PublishingOptions): Promise<PublishedGroups[]> {
  const publish = await openPublishingThread(options)
  await publish(512, 64)
  const published: PublishedGroups[] = []
  for (const groupSize of groupSizes) {
    const rounds: PublishedGroups[] = []
    while (rounds.length < roundsOfGroups) rounds.push(await publishRound(groupSize))
    const middle = median(rounds.map(({ mailsASecond }) => mailsASecond))
    published.push(rounds.find(({ mailsASecond }) => mailsASecond === middle)!)
  }
  return published

  async function publishRound(groupSize: number): Promise<PublishedGroups> {
    const count = mailsOf(groupSize)
    const before = { databaseMs: familyMs(postgres.pid), machineMs: machineMs(), at: performance.now() }
    const figures = await publish(count, groupSize)
    const databaseMs = familyMs(postgres.pid) - before.databaseMs
    const othersMs = machineMs() - before.machineMs - databaseMs - figures.processorMs * count
    return {
      ...figures, groupSize, databaseMs: databaseMs / count, othersProcessors: Math.max(0, othersMs / (performance.now() - before.at)),
    }
  }
}

/** The costs of the groups that a thread publishes. */
export function costsOfGroups(published: PublishedGroups[]): Pick<ServiceCosts, 'thread' | 'database' | 'end'> {
  const fitted = (ms: (each: PublishedGroups) => number) => fitLine(published.map((each) => ({ mails: each.groupSize, ms: ms(each) })))
  const end = fitted(({ minEndMs }) => minEndMs)
  const database = fitted((each) => each.databaseMs * each.groupSize)
  return {
    end,
    thread: fitted((each) => each.processorMs * each.groupSize),
    database: less(database, { group: 0, mail: end.mail }),
  }
}

/** The costs of a service, by the groups of one thread, and by two loads of nodes: a light one and the maximum. */
export function costsOfService(groups: ReturnType<typeof costsOfGroups>, loads: MeasuredLoad[], source: Buffer): ServiceCosts {
  const fitted = (ms: (load: MeasuredLoad) => number) =>
    fitLine(loads.map((load) => ({ mails: load.mailsInGroup, ms: ms(load) * load.mailsInGroup })))
  const parseMs = parseTimeOf(source)
  return {
    bytes: source.length,
    senderMs: loads.at(-1)!.senderMs,
    main: fitted(({ mainThreadMs }) => mainThreadMs),
    parseMs,
    thread: less(fitted(({ mailThreadsMs }) => mailThreadsMs), { group: 0, mail: parseMs }),
    database: groups.database,
    end: groups.end,
    later: {
      node: fitted(({ laterMs }) => laterMs),
      database: less(fitted(({ databaseMs }) => databaseMs), groups.database, { group: 0, mail: groups.end.mail }),
    },
    roundTrips,
  }
}

/** By least squares, without negative costs. */
function fitLine(groups: { mails: number, ms: number }[]): GroupCost {
  const mean = (of: (group: typeof groups[0]) => number) => groups.reduce((sum, group) => sum + of(group), 0) / groups.length
  const [mails, ms] = [mean((group) => group.mails), mean((group) => group.ms)]
  const mail = Math.max(0, mean((group) => (group.mails - mails) * (group.ms - ms)) / mean((group) => (group.mails - mails) ** 2))
  return { group: Math.max(0, ms - mail * mails), mail }
}

function less(from: GroupCost, ...costs: GroupCost[]): GroupCost {
  const rest = (member: keyof GroupCost) => Math.max(0, costs.reduce((ms, cost) => ms - cost[member], from[member]))
  return { group: rest('group'), mail: rest('mail') }
}

function parseTimeOf(source: Buffer): number {
  const count = 500
  for (let i = 0; i < count; i++) readMessage(source) // compiles it
  const before = process.cpuUsage()
  for (let i = 0; i < count; i++) readMessage(source)
  return processorMs(before) / count
}
