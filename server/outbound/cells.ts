import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Logger } from 'pino'
import { defaultDomainsOf } from '../config/cells.ts'
import type { CellsConfig } from '../config/cells.ts'
import { MailRefusedError } from '../errors.ts'
import { openExpiringMap } from '../expiring-map.ts'
import { clientNetwork } from '../network.ts'
import { CellMail } from './cell-mail.ts'
import type { PassedClient } from './cell-mail.ts'
import { OtherCell } from './other-cell.ts'

/** A header that proves that a request comes from another cell. */
const cellHeader = 'x-mayfly-cell'

/** Milliseconds for which the place of a name is believed, and that no cell has it. */
const foundMs = 60_000
const absentMs = 1_500
const maxFound = 50_000
const maxAbsent = 10_000

/** Of replies to an unknown recipient, and to a login that is unknown or wrong. */
const unknownCodes = [550, 535]

/** The other cell that has a name, and the account there. */
export interface FoundCell {
  cell: OtherCell
  accountId: string
}

/** A name that one account alone has: `key HASH`, `session HASH`, `share HASH`, `address ADDRESS`, `domain DOMAIN`. */
export type LookedUp = `${'key' | 'session' | 'share' | 'address' | 'domain'} ${string}`

/** The other cells of the service. Their databases alone know where an account is; this remembers their answers for a time. */
export class Cells {
  /** Of all cells, this one too. */
  readonly names: string[]
  readonly others: OtherCell[]
  readonly #secret: string
  readonly #found = openExpiringMap<FoundCell>(maxFound)
  readonly #absent = openExpiringMap<true>(maxAbsent)
  readonly #searches = new Map<string, Promise<FoundCell | undefined>>()

  /** @param own the name of this cell */
  constructor(own: string, config: CellsConfig, { log, lookupFailed }: { log: Logger, lookupFailed(): void }) {
    this.#secret = config.secret
    this.names = defaultDomainsOf({ defaultDomain: own, cells: config })
    const options = { log, lookupFailed, header: { [cellHeader]: config.secret }, cells: this.names }
    this.others = config.others.map((place) => new OtherCell(place, options))
  }

  close(): void {
    for (const cell of this.others) cell.close()
  }

  /** @returns the cell that had a name when it was last looked up */
  known(name: LookedUp): FoundCell | undefined {
    return this.#found.get(name)
  }

  /** Believes the place of a name for longer: the cell has just answered for it. */
  keep(name: LookedUp, found: FoundCell): void {
    this.#found.set(name, found, foundMs)
  }

  /** Has a name looked up again the next time. */
  forget(name: LookedUp): void {
    this.#found.delete(name)
  }

  /**
   * Finds the other cell that has a name.
   * @param party the network of the client
   * @returns undefined when all other cells have said that they do not have it
   * @throws UnavailableError when none has said that it does, and one does not answer
   */
  async find(name: LookedUp, party: string): Promise<FoundCell | undefined> {
    const known = this.#found.get(name)
    if (known || this.#absent.get(name)) return known
    const running = this.#searches.get(name)
    if (running) return running
    const search = this.#search(name, party).finally(() => this.#searches.delete(name))
    this.#searches.set(name, search)
    return search
  }

  /**
   * Looks up a name again that a cell refuses as unknown, in spite of an earlier answer.
   * @throws UnavailableError when another cell has it meanwhile, else the error with which the cell refuses it
   */
  async refuseMoved(error: unknown, name: LookedUp, from: OtherCell, party: string): Promise<never> {
    if (error instanceof MailRefusedError && unknownCodes.includes(error.reply?.code ?? 0)) {
      this.forget(name)
      const found = await this.find(name, party)
      if (found && found.cell !== from) throw from.unavailable()
    }
    throw error
  }

  async #search(name: LookedUp, party: string): Promise<FoundCell | undefined> {
    const asked = this.others.map(async (cell): Promise<FoundCell> => {
      const accountId = await cell.find(name, party)
      if (accountId === null) throw new AbsentError()
      return { cell, accountId }
    })
    try {
      const found = await Promise.any(asked)
      this.#found.set(name, found, foundMs)
      return found
    } catch (error) {
      const unavailable = (error as AggregateError).errors.find((each) => !(each instanceof AbsentError))
      if (unavailable) throw unavailable
      this.#absent.set(name, true, absentMs)
      return undefined
    }
  }

  /** The header of a request that is passed on. @param client its IP address */
  headerFor(client: string): Record<string, string> {
    return { [cellHeader]: `${this.#secret} ${client}` }
  }

  /** @returns undefined unless a cell has sent the request; its client when the cell has passed it on */
  readHeader({ headers: { [cellHeader]: value } }: IncomingMessage): { client: string | undefined } | undefined {
    if (value === undefined) return undefined
    const [secret = '', client = ''] = String(value).split(' ')
    return this.isSecret(secret) ? { client: isIP(client) ? client : undefined } : undefined
  }

  /** Begins an SMTP session with a cell. @throws UnavailableError */
  openMail(cell: OtherCell, client: PassedClient): Promise<CellMail> {
    return cell.beginInTurn(clientNetwork(client.address), () => CellMail.open(cell, this.#secret, client))
  }

  /** Compares in constant time, against timing attacks. */
  isSecret(text: string): boolean {
    return timingSafeEqual(digest(text), digest(this.#secret))
  }
}

/** One cell has said that it does not have a name. */
class AbsentError extends Error {}

const digest = (text: string) => createHash('sha256').update(text).digest()
