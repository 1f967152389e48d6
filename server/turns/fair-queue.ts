/** Work that waits for its turn. */
interface Piece {
  start(): void
  /** It continues work that has begun: it does not count against `maxRunning`. */
  isResuming: boolean
}

interface Party<Name> {
  name: Name
  group: string
  running: number
  /** In the order of arrival. */
  waiting: Piece[]
}

/**
 * Work that waits, by party. Groups take turns, regardless of how many parties they have and how much these have waiting; the parties of a
 * group share its turns in rotation. Of a party, a maximum of pieces runs at once.
 */
export class FairQueue<Name> {
  readonly #maxRunning: number
  /** Those with a piece that runs or waits. */
  readonly #parties = new Map<Name, Party<Name>>()
  /** The parties with a piece that may start, by group; groups and parties are in the order of their next turns. */
  readonly #ready = new Map<string, Set<Party<Name>>>()

  /** @param maxRunning maximum pieces of a party that run at once */
  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning
  }

  get isEmpty(): boolean {
    return this.#parties.size === 0
  }

  /** Whether a piece may start. */
  get isReady(): boolean {
    return this.#ready.size > 0
  }

  /** Whether a piece of the party runs or waits. */
  has(name: Name): boolean {
    return this.#parties.has(name)
  }

  waitingOf(name: Name): number {
    return this.#parties.get(name)?.waiting.length ?? 0
  }

  /** Counts a piece that starts at once. Only for a party that has no other one. */
  begin(name: Name, group: string): void {
    this.#parties.set(name, { name, group, running: 1, waiting: [] })
  }

  push(name: Name, group: string, start: () => void, isResuming = false): void {
    let party = this.#parties.get(name)
    if (!party) this.#parties.set(name, party = { name, group, running: 0, waiting: [] })
    party.waiting.push({ start, isResuming })
    this.#update(party)
  }

  /** Takes the next piece of the next party of the next group, which moves to the end of the rotation. It runs until `end`. */
  shift(): (() => void) | undefined {
    const [next] = this.#ready
    if (!next) return undefined
    const [group, parties] = next
    const [party] = parties
    parties.delete(party!)
    this.#ready.delete(group)
    if (parties.size > 0) this.#ready.set(group, parties)
    const [piece] = party!.waiting.splice(this.#nextOf(party!), 1)
    if (!piece!.isResuming) party!.running++
    this.#update(party!)
    return piece!.start
  }

  /** A piece of the party has ended that was not resuming. */
  end(name: Name): void {
    const party = this.#parties.get(name)!
    party.running--
    if (party.waiting.length > 0) this.#update(party)
    else if (party.running === 0) this.#parties.delete(name)
  }

  /** Removes the waiting pieces of a party. */
  clear(name: Name): void {
    const party = this.#parties.get(name)
    if (!party) return
    party.waiting = []
    this.#update(party)
  }

  /** Index of the piece that may start first; -1 without one. */
  #nextOf({ running, waiting }: Party<Name>): number {
    return running < this.#maxRunning ? (waiting.length > 0 ? 0 : -1) : waiting.findIndex(({ isResuming }) => isResuming)
  }

  /** Adds a party to the rotation if a piece may start, removes it otherwise, and forgets it without pieces. */
  #update(party: Party<Name>): void {
    const parties = this.#ready.get(party.group)
    if (this.#nextOf(party) >= 0) {
      if (parties) parties.add(party)
      else this.#ready.set(party.group, new Set([party]))
    } else {
      parties?.delete(party)
      if (parties?.size === 0) this.#ready.delete(party.group)
    }
    if (party.running === 0 && party.waiting.length === 0) this.#parties.delete(party.name)
  }
}
