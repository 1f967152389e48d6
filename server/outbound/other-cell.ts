import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Logger } from 'pino'
import { lookupPath, maxNames } from '../config/cells.ts'
import type { CellPlace } from '../config/cells.ts'
import { unlessAborted } from '../deadline.ts'
import { isUnavailable, UnavailableError } from '../errors.ts'
import { FairDispatcher, FairQueue } from '../turns/fair-queue.ts'

/** Milliseconds in which a cell has to answer a lookup. */
const answerMs = 1_000
/** Milliseconds for which a cell that did not answer is not asked. */
const unavailableMs = 3_000
/** Maximum lookups that a client network has waiting. */
const maxWaitingOfParty = 100
/** Maximum lookups that wait; and requests under way, fewer than the connections that the server may have with requests. */
const maxWaiting = 5_000
const maxRequests = 1_000
/** Maximum SMTP sessions that begin: the cell counts them for this node, of which it takes 100, until they say who their clients are. */
const maxBeginning = 50
const maxAnswerBytes = 1024 * 1024

/** A request as it is passed on. */
export type PassedRequest = Pick<RequestOptions, 'method' | 'path' | 'headers'>

interface Lookup {
  name: string
  resolve(accountId: string | null): void
  reject(error: Error): void
}

/** An answer to a lookup. */
export interface LookupAnswer {
  /** The cell that answers, and all that it knows. */
  cell: string
  cells: string[]
  /** The account of each name, in their order; null where the cell has none. */
  accounts: (string | null)[]
}

export interface OtherCellOptions {
  log: Logger
  /** Sent with each request: proves that it comes from a cell. */
  header: Record<string, string>
  /** The cells that this one knows, itself too. */
  cells: string[]
  lookupFailed(): void
}

/**
 * Another cell. Lookups share calls, one call at a time, so that strangers who guess names cause no more. A cell that does not
 * answer in time is unavailable: it gets nothing for some seconds, then one call decides.
 */
export class OtherCell {
  readonly place: CellPlace
  readonly #options: OtherCellOptions
  readonly #lookups = new FairQueue<Lookup>()
  readonly #lookupAgent
  readonly #requestAgent
  readonly #request: typeof httpRequest
  #isCalling = false
  /** Whether it has not answered the last call. */
  #hasFailed = false
  #unavailableUntil = -Infinity
  /** Those under way with their accounts, the oldest first. */
  readonly #requests = new Map<ClientRequest, string>()
  #probe: Promise<void> | undefined
  #beginning = 0
  readonly #sessions = new FairDispatcher<() => void>({
    isFull: () => this.#beginning >= maxBeginning,
    start: (begin) => {
      this.#beginning++
      begin()
    },
  })

  constructor(place: CellPlace, options: OtherCellOptions) {
    this.place = place
    this.#options = options
    const isTls = place.url.startsWith('https:')
    this.#request = isTls ? httpsRequest : httpRequest
    const Agent = isTls ? HttpsAgent : HttpAgent
    this.#lookupAgent = new Agent({ keepAlive: true })
    this.#requestAgent = new Agent({ keepAlive: true, maxFreeSockets: 64 })
  }

  close(): void {
    this.#lookupAgent.destroy()
    this.#requestAgent.destroy()
  }

  /** Whether it is not to be asked at the moment. */
  get isUnavailable(): boolean {
    return this.#hasFailed && (performance.now() < this.#unavailableUntil || this.#isCalling || this.#probe !== undefined)
  }

  /** Resolves when the cell may be sent something: at once, unless it was unavailable. @throws UnavailableError */
  async ready(): Promise<void> {
    if (this.isUnavailable) throw this.unavailable()
    if (this.#hasFailed) await this.probe()
  }

  /**
   * Looks up a name.
   * @param party by which lookups take turns: the network of the client
   * @returns the account that has it there; null for none
   * @throws UnavailableError
   */
  find(name: string, party: string): Promise<string | null> {
    if (this.isUnavailable || this.#lookups.size >= maxWaiting || this.#lookups.waitingOf(party) >= maxWaitingOfParty) {
      return Promise.reject(this.unavailable())
    }
    return new Promise((resolve, reject) => {
      this.#lookups.push(party, { name, resolve, reject })
      if (!this.#isCalling) void this.#callAll()
    })
  }

  /** Calls the cell with no name. @throws UnavailableError */
  probe(): Promise<void> {
    if (!this.#probe && this.isUnavailable) return Promise.reject(this.unavailable())
    return this.#probe ??= this.#callInTime([]).then(() => {}).finally(() => { this.#probe = undefined })
  }

  /** Waits for an answer of the cell, and meanwhile looks each second whether it still answers. @throws UnavailableError */
  async whilePresent<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const failed = Promise.withResolvers<never>()
    const timer = setInterval(() => { this.probe().catch(failed.reject) }, answerMs).unref()
    try {
      return await Promise.race([answer, failed.promise])
    } finally {
      clearInterval(timer)
    }
  }

  /** Begins an SMTP session in a turn of the network of its client. */
  async beginInTurn<Session>(network: string, begin: () => Promise<Session>): Promise<Session> {
    await new Promise<void>((resolve) => this.#sessions.push(network, resolve))
    try {
      return await begin()
    } finally {
      this.#beginning--
      this.#sessions.startNext()
    }
  }

  /**
   * Sends a request. Of too many, the oldest of the account with most of them is ended: mostly a wait or a stream, which clients repeat.
   * @param body read to its end, as fast as the cell takes it; undefined for none
   * @returns the answer, whose body is not read yet
   * @throws UnavailableError
   */
  async send(
    options: PassedRequest, body: IncomingMessage | undefined, { accountId, gone }: { accountId: string, gone: AbortSignal },
  ): Promise<IncomingMessage> {
    await this.ready()
    if (this.#requests.size >= maxRequests) this.#endOldest()
    const { pathname, hostname, port } = new URL(this.place.url)
    const request = this.#request({
      ...options, host: hostname.replace(/^\[|\]$/g, ''), port, path: `${pathname.replace(/\/$/, '')}${options.path}`, agent: this.#requestAgent,
    })
    this.#requests.set(request, accountId)
    request.once('close', () => this.#requests.delete(request))
    const answered = answerOf(request)
    if (body) body.pipe(request)
    else request.end()
    try {
      return await unlessAborted(this.whilePresent(answered), gone)
    } catch (error) {
      body?.unpipe(request)
      request.destroy()
      if (isStale(request, error) && isIdempotent(options) && !body && !gone.aborted) return this.send(options, body, { accountId, gone })
      if (!gone.aborted && !isUnavailable('cell', error)) this.probe().catch(() => {}) // so that the next request need not try
      throw this.unavailable(error as Error)
    }
  }

  #endOldest() {
    const byAccount = [...Map.groupBy(this.#requests.keys(), (request) => this.#requests.get(request)!).values()]
    const [oldest] = byAccount.reduce((most, each) => each.length > most.length ? each : most)
    this.#requests.delete(oldest!)
    oldest!.destroy(this.unavailable())
  }

  async #callAll() {
    this.#isCalling = true
    while (this.#lookups.size > 0) {
      const batch: Lookup[] = []
      while (batch.length < maxNames && this.#lookups.size > 0) batch.push(this.#lookups.shift()!)
      try {
        const accounts = await this.#callInTime(batch.map(({ name }) => name))
        for (const [i, { resolve }] of batch.entries()) resolve(accounts[i] ?? null)
      } catch (error) {
        while (this.#lookups.size > 0) batch.push(this.#lookups.shift()!)
        for (const { reject } of batch) reject(error as Error)
      }
    }
    this.#isCalling = false
  }

  async #callInTime(names: string[]): Promise<LookupAnswer['accounts']> {
    try {
      const { cell, accounts } = await this.call(names)
      if (cell !== this.place.name) throw new Error(`${cell} answers at its URL`)
      if (accounts.length !== names.length) throw new Error('its answer lacks accounts')
      if (this.#hasFailed) this.#options.log.info({ cell }, 'a cell answers again')
      this.#hasFailed = false
      return accounts
    } catch (error) {
      this.#options.lookupFailed()
      if (!this.#hasFailed) this.#options.log.warn({ err: error, cell: this.place.name }, 'a cell does not answer: its accounts get 503, its mail 451')
      this.#hasFailed = true
      this.#unavailableUntil = performance.now() + unavailableMs
      throw this.unavailable(error as Error)
    }
  }

  /** One call, whatever is known of the cell. */
  async call(names: string[]): Promise<LookupAnswer> {
    const { header, cells } = this.#options
    const request = this.#request(new URL(`${this.place.url}${lookupPath}`), {
      method: 'POST', headers: { ...header, 'content-type': 'application/json' }, agent: this.#lookupAgent,
    })
    const answered = answerOf(request)
    request.end(JSON.stringify({ cells, names }))
    // in the next turn: after a turn that took long, an answer that came in time is read first
    const timer = setTimeout(() => setImmediate(() => request.destroy(new Error(`it does not answer within ${answerMs} ms`))), answerMs)
    try {
      const answer = await answered
      if (answer.statusCode !== 200) throw new Error(faultsByStatus[answer.statusCode!] ?? `it answers ${answer.statusCode}`)
      return JSON.parse(await textOf(answer)) as LookupAnswer
    } catch (error) {
      request.destroy()
      if (isStale(request, error)) return await this.call(names)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  unavailable(reason?: Error): UnavailableError {
    return reason instanceof UnavailableError ? reason : new UnavailableError('cell', reason)
  }
}

const faultsByStatus: Record<number, string> = { 404: 'it has another MAYFLY_CELLS_SECRET, or no MAYFLY_CELLS' }

/** Whether the cell has closed a connection before a request came over it. */
const isStale = ({ reusedSocket }: ClientRequest, error: unknown) => reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET'

/** RFC 9110, section 9.2.2: the cell may have received the request before it closed the connection. */
const isIdempotent = ({ method = '' }: PassedRequest) => ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'].includes(method)

async function textOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > maxAnswerBytes) throw new Error('its answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function answerOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve)
    request.on('error', reject)
  })
}
