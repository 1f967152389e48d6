import type { ClientNetwork } from '../network.ts'
import { FairDispatcher } from '../turns/fair-queue.ts'
import { burstRate, usageRate } from '../turns/usage-rate.ts'
import type { SmtpLimits } from './limits.ts'

/** A connection, as the limits of its networks count it. */
export interface SmtpClient {
  /** Normalized by `clientAddress`. */
  address: string
  /** Those of `clientNetworks`. */
  networks: ClientNetwork[]
  /** False after the end of its session; the socket may stay open until the client closes it. */
  isInSession: boolean
}

/**
 * Whether a new client exceeds a limit of one of its networks: the maximum of sessions, or twice that number of sockets, which clients may
 * leave open after a session.
 * @param open the other connections
 * @param max sessions of the smallest network
 */
export function exceedsClientLimits({ networks }: Pick<SmtpClient, 'networks'>, open: Iterable<SmtpClient>, max: number): boolean {
  const counts = networks.map(({ factor }) => ({ max: max * factor, sessions: 0, sockets: 0 }))
  for (const client of open) {
    for (const [i, count] of counts.entries()) {
      if (client.networks[i]?.name !== networks[i]!.name) continue
      count.sockets++
      if (client.isInSession) count.sessions++
    }
  }
  return counts.some(({ max, sessions, sockets }) => sessions >= max || sockets >= 2 * max)
}

/** Kinds of commands that advance a mail. Between two mails, each is allowed as often as one mail needs it. */
export type MailProgress = 'sender' | 'recipient' | 'excessRecipient'

type CommandLimits = Pick<SmtpLimits, 'unproductiveCommands' | 'recipients' | 'excessRecipients'>

/** Counts the commands of a session that do not advance a mail. */
export class UnproductiveCommands {
  private readonly limits: CommandLimits
  private counted = 0
  private allowed: Record<MailProgress, number>

  constructor(limits: CommandLimits) {
    this.limits = limits
    this.allowed = allowance(limits)
  }

  /** Counts a command. @returns whether it may run */
  countCommand(): boolean {
    return this.counted++ < this.limits.unproductiveCommands
  }

  /**
   * Takes the command off the count, up to the number that one mail needs. RSET does not reset that number.
   * @returns whether it was taken off
   */
  recordProgress(kind: MailProgress): boolean {
    if (this.allowed[kind] === 0) return false
    this.allowed[kind]--
    this.counted--
    return true
  }

  /** A mail was received to its end. */
  endMail(isAccepted: boolean) {
    this.allowed = allowance(this.limits)
    if (isAccepted) this.counted = 0
  }
}

const allowance = ({ recipients, excessRecipients }: CommandLimits): Record<MailProgress, number> =>
  ({ sender: 1, recipient: recipients, excessRecipient: excessRecipients })

/** Bytes of a mail that take as much processor time as one command. */
const bytesPerCommand = 16_384

export const commandsOf = (bytes: number) => Math.ceil(bytes / bytesPerCommand)

/** The delay of a reply on purpose; a session has one at a time. */
export class ReplyDelay {
  #timer: NodeJS.Timeout | undefined
  #resolve: (() => void) | undefined

  get isRunning() {
    return this.#timer !== undefined
  }

  /** @param end called after the delay, at once for 0; never when it is cancelled */
  start(ms: number, end: () => void) {
    if (ms === 0) return end()
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      end()
    }, ms).unref()
  }

  /** Resolves after the delay, or when that is cancelled. */
  async wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#resolve = resolve
      this.start(ms, resolve)
    })
  }

  cancel() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#resolve?.()
    this.#resolve = undefined
  }
}

interface Work {
  /** In commands. */
  cost: number
  start(): void
}

/**
 * Limits the work of SMTP sessions per turn of the event loop, so that a flood of commands leaves time for HTTP and other mail. Waiting
 * clients are served in rotation, regardless of how many sessions each has; the work of one client runs in the order of its arrival.
 */
export class TurnBudget {
  /** Cost of the work of this turn of the event loop. */
  #spent = 0
  readonly #waiting: FairDispatcher<Work>

  /** @param maxCostPerTurn maximum cost of the work per turn, in commands; the last piece may exceed it */
  constructor(maxCostPerTurn: number) {
    this.#waiting = new FairDispatcher({ start: (work) => this.#start(work), isFull: () => this.#spent >= maxCostPerTurn })
  }

  /**
   * Runs work now, or in a later turn when this one is used up.
   * @param client by `clientNetwork`
   * @param cost in commands
   */
  run(client: string, cost: number, start: () => void): void {
    this.#waiting.push(client, { cost, start })
  }

  #start({ cost, start }: Work) {
    if (this.#spent === 0) setImmediate(() => this.#beginTurn())
    this.#spent += cost
    start()
  }

  #beginTurn() {
    this.#spent = 0
    this.#waiting.startNext()
  }
}

/** Milliseconds after which a network that sends no mail does not count as a sender any more. */
const activeMs = 1_000
/** Milliseconds after which bytes that wait are judged again: the other networks may have ended. */
const recheckMs = 100

export interface MailRate {
  /** Reads bytes when their network may send more. Those of a closed session are read at once and not counted, so they cause no delay. */
  take(network: string, bytes: number, isClosed: () => boolean, read: () => void): void
}

/**
 * Limits the bytes of mail per second and network while several networks send mail: mail that arrives faster occupies processor and
 * disk, and delays that of the others. A network that sends alone has no limit.
 */
export function openMailRate(bytesPerSecond: number): MailRate {
  const rate = usageRate(bytesPerSecond)
  let latest: string | undefined
  let changedAt = -Infinity
  const areSeveral = () => performance.now() - changedAt <= activeMs

  function take(network: string, bytes: number, isClosed: () => boolean, read: () => void) {
    if (isClosed()) return read()
    const waitMs = areSeveral() ? rate.waitMs(network) : 0
    if (waitMs > 0) return void setTimeout(() => take(network, bytes, isClosed, read), Math.min(waitMs, recheckMs)).unref()
    if (latest !== undefined && network !== latest) changedAt = performance.now()
    latest = network
    if (areSeveral()) rate.record(network, bytes)
    read()
  }
  return { take }
}

/** How often a network may do something without a delay, and the longest delay. */
interface AllowedOfNetwork {
  atOnce: number
  perSecond: number
  maxDelayMs: number
}

/**
 * Slows down networks that do something too often. The delay grows with the number of times, and shrinks with time.
 * @param now in milliseconds
 * @returns a function that counts one time of a network, and returns its delay in milliseconds
 */
export function networkDelays({ atOnce, perSecond, maxDelayMs }: AllowedOfNetwork, now?: () => number): (network: string) => number {
  const rate = burstRate(perSecond, atOnce, now)
  return (network) => {
    const delayMs = rate.waitMs(network)
    if (delayMs >= maxDelayMs) return maxDelayMs // not counted: the delay has to end soon after the last of them
    rate.record(network, 1)
    return delayMs
  }
}
