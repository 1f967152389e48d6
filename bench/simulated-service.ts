import { minBatchBytes } from '../server/intake/mail-queue.ts'
import { maxGroupMs, maxGroupSize } from '../server/store/changes/group-commit.ts'
import { figuresOf } from '../test/attack/figures.ts'
import { randomNumbers, SimulatedLock, SimulatedProcessors, Simulation } from './simulation.ts'
import type { SimulatedProcess } from './simulation.ts'

/** Milliseconds of processor time: of a group of mails that share a commit, and of each mail in it. */
export interface GroupCost {
  group: number
  mail: number
}

export interface ServiceCosts {
  /** Bytes of a mail, by which a node uses a further thread. */
  bytes: number
  /** Of the process that sends the mail, where it is on the machine of the nodes. */
  senderMs: number
  /** The thread of a node that speaks SMTP. */
  main: GroupCost
  /** A thread of a node that reads the mail, and writes it to the database. */
  parseMs: number
  thread: GroupCost
  /** The statements of the mails, before the end of the group. */
  database: GroupCost
  /** The end of a group, with the lock that orders the commits of all nodes: `group` is time without work, for the flush to the disk. */
  end: GroupCost
  /** After the 250: authentication and search index, in the node and in the database. */
  later: { node: GroupCost, database: GroupCost }
  /** Round trips to the database before the end of a group. */
  roundTrips: number
}

export interface ServicePlan {
  nodes: number
  processorsOfNode: number
  /** Undefined where the nodes are on the machine of the database. */
  processorsOfDatabase?: number
  roundTripMs: number
  /** Threads of a node for small mail. */
  threads: number
}

/** Mail a second at all nodes: at random times, or over connections that send the next mail after the 250, at the rate if there is one. */
export interface SimulatedLoad {
  count: number
  perSecond?: number
  /** At each node. */
  connections?: number
}

/** Figures of a load, measured or simulated. */
export interface LoadFigures {
  mailsPerSecond: number
  /** From the final dot to the 250. */
  p50Ms: number
  p99Ms: number
  mailsInGroup: number
  /** Averages of a group, as its node sees them: the wait for the lock that orders the commits, and the time for which it is held. */
  lockMs: number
  endMs: number
}

export interface SimulatedFigures extends LoadFigures {
  /** In use on the average, of the machines of all nodes and of that of the database; where they are one machine, both are its. */
  nodesProcessors: number
  databaseProcessors: number
  /** Share of the time for which the lock was held. */
  lockShare: number
}

/** Time of a turn of the event loop, after which a group takes the mails that are there. */
const turnMs = 0.05
/** Of the work of the main thread for a mail: an assumption. */
const shareBeforeDot = 0.5

/** Simulates nodes that publish mail in groups, each in a transaction whose end is ordered by a lock of the database. */
export function simulateService(costs: ServiceCosts, plan: ServicePlan, load: SimulatedLoad, seed = 1): SimulatedFigures {
  return new SimulatedService(costs, plan, load, seed).run()
}

class SimulatedService {
  readonly simulation = new Simulation()
  /** That of the database. */
  readonly machine: SimulatedProcessors
  readonly lock = new SimulatedLock()
  readonly costs: ServiceCosts
  readonly plan: ServicePlan
  readonly load: SimulatedLoad
  /** From the final dot of each mail to its 250. */
  readonly times: number[] = []
  readonly sums = { groups: 0, lockMs: 0, endMs: 0 }
  readonly #nodes: SimulatedNode[]
  readonly #random: () => number

  constructor(costs: ServiceCosts, plan: ServicePlan, load: SimulatedLoad, seed: number) {
    this.costs = costs
    this.plan = plan
    this.load = load
    this.machine = new SimulatedProcessors(this.simulation, plan.processorsOfDatabase ?? plan.processorsOfNode)
    this.#nodes = Array.from({ length: plan.nodes }, () => new SimulatedNode(this))
    this.#random = randomNumbers(seed)
  }

  run(): SimulatedFigures {
    if (this.load.connections === undefined) this.simulation.start(this.#sendAtRandom(this.load.perSecond!))
    else for (const node of this.#nodes) this.#openConnections(node, this.load.connections)
    this.simulation.run(() => this.times.length === this.load.count)
    const { simulation: { nowMs }, times, sums: { groups, lockMs, endMs } } = this
    const { p50, p99 } = figuresOf(times)
    const machines = new Set(this.#nodes.map(({ processors }) => processors))
    return {
      mailsPerSecond: times.length / nowMs * 1_000,
      p50Ms: p50,
      p99Ms: p99,
      mailsInGroup: times.length / groups,
      lockMs: lockMs / groups,
      endMs: endMs / groups,
      nodesProcessors: [...machines].reduce((sum, { busyMs }) => sum + busyMs, 0) / nowMs,
      databaseProcessors: this.machine.busyMs / nowMs,
      lockShare: endMs / nowMs,
    }
  }

  *#sendAtRandom(perSecond: number): SimulatedProcess {
    for (let i = 0; i < this.load.count; i++) {
      yield this.simulation.wait(-Math.log(1 - this.#random()) / perSecond * 1_000)
      this.simulation.start(this.#nodes[i % this.#nodes.length]!.receive())
    }
  }

  /** As the process that sends the mail of benchmarks: a thread, with connections to one node. */
  #openConnections(node: SimulatedNode, connections: number) {
    const { simulation, load: { count, perSecond = Infinity }, plan: { nodes } } = this
    const sender = new SimulatedLock()
    let next = 0
    function* connection(senderMs: number): SimulatedProcess {
      for (let number = next++; number < count / nodes; number = next++) {
        const earlyMs = number * nodes / perSecond * 1_000 - simulation.nowMs
        if (earlyMs > 0) yield simulation.wait(earlyMs)
        yield* node.useAlone(sender, senderMs)
        yield* node.receive()
      }
    }
    for (let i = 0; i < connections; i++) simulation.start(connection(this.costs.senderMs))
  }
}

/** A group of mails that share a commit. */
type Group = { answered(): void }[]

class SimulatedNode {
  readonly service: SimulatedService
  readonly processors: SimulatedProcessors
  readonly #main = new SimulatedLock()
  readonly #threads: SimulatedThread[]
  /** Two threads: one authenticates mail, one indexes it. */
  readonly #later = [new SimulatedLock(), new SimulatedLock()]

  constructor(service: SimulatedService) {
    const { simulation, machine, plan } = service
    this.service = service
    this.processors = plan.processorsOfDatabase === undefined ? machine : new SimulatedProcessors(simulation, plan.processorsOfNode)
    this.#threads = Array.from({ length: plan.threads }, () => new SimulatedThread(this))
  }

  /** Receives a mail, and ends with its 250. */
  *receive(): SimulatedProcess {
    const { simulation, costs: { main, bytes }, times } = this.service
    yield* this.useAlone(this.#main, main.mail * shareBeforeDot)
    const dotAt = simulation.nowMs
    yield* this.useAlone(this.#main, main.mail * (1 - shareBeforeDot))
    const thread = this.#threads.find(({ mails }) => mails * bytes < minBatchBytes)
      ?? this.#threads.toSorted((a, b) => a.mails - b.mails)[0]!
    yield* thread.publish()
    times.push(simulation.nowMs - dotAt)
  }

  /** Uses a processor in a thread that does one thing at a time. */
  *useAlone(thread: SimulatedLock, ms: number): SimulatedProcess {
    yield thread.take()
    yield this.processors.use(ms)
    thread.release()
  }

  *end(group: Group): SimulatedProcess {
    for (const { answered } of group) answered()
    yield* this.useAlone(this.#main, this.service.costs.main.group)
    for (const thread of this.#later) this.service.simulation.start(this.#workLater(thread, group.length))
  }

  *#workLater(thread: SimulatedLock, mails: number): SimulatedProcess {
    const { costs: { later }, machine } = this.service
    yield thread.take()
    yield this.processors.use(costOf(later.node, mails) / this.#later.length)
    yield machine.use(costOf(later.database, mails) / this.#later.length)
    thread.release()
  }
}

/** A thread that reads mails, and writes them in groups. */
class SimulatedThread {
  /** Under way in it. */
  mails = 0
  readonly #node: SimulatedNode
  readonly #thread = new SimulatedLock()
  #waiting: Group = []
  #isCommitting = false

  constructor(node: SimulatedNode) {
    this.#node = node
  }

  *publish(): SimulatedProcess {
    this.mails++
    yield* this.#node.useAlone(this.#thread, this.#node.service.costs.parseMs)
    yield (goOn) => {
      this.#waiting.push({ answered: goOn })
      if (!this.#isCommitting) this.#node.service.simulation.start(this.#commitWaiting())
    }
    this.mails--
  }

  *#commitWaiting(): SimulatedProcess {
    this.#isCommitting = true
    while (this.#waiting.length > 0) {
      yield this.#node.service.simulation.wait(turnMs)
      yield* this.#commit()
    }
    this.#isCommitting = false
  }

  *#commit(): SimulatedProcess {
    const { simulation, machine, lock, costs, plan, sums } = this.#node.service
    const begunAt = simulation.nowMs
    const group: Group = []
    yield* this.#node.useAlone(this.#thread, costs.thread.group)
    yield machine.use(costs.database.group)
    yield simulation.wait(costs.roundTrips * plan.roundTripMs)
    while (this.#waiting.length > 0 && group.length < maxGroupSize && simulation.nowMs - begunAt < maxGroupMs || group.length === 0) {
      const mails = this.#waiting.splice(0, maxGroupSize - group.length)
      const halfMs = costs.thread.mail * mails.length / 2
      yield* this.#node.useAlone(this.#thread, halfMs)
      // statements are executed while others are sent: of half of the work, an assumption
      yield simulation.all([this.#node.useAlone(this.#thread, halfMs), use(machine, costs.database.mail * mails.length)])
      group.push(...mails)
    }
    const askedAt = simulation.nowMs
    yield lock.take()
    const lockedAt = simulation.nowMs
    yield machine.use(costs.end.mail * group.length)
    yield simulation.wait(costs.end.group)
    lock.release()
    sums.groups++
    sums.lockMs += lockedAt - askedAt
    sums.endMs += simulation.nowMs - lockedAt
    yield simulation.wait(plan.roundTripMs)
    simulation.start(this.#node.end(group))
  }
}

function* use(processors: SimulatedProcessors, ms: number): SimulatedProcess {
  yield processors.use(ms)
}

const costOf = ({ group, mail }: GroupCost, mails: number) => group + mail * mails
