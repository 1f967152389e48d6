/** Calls its argument when the process may go on, in the simulated time. */
type Step = (goOn: () => void) => void

/** Runs from one `yield` of a step to the next. Its own code takes no simulated time. */
export type SimulatedProcess = Generator<Step, void, void>

interface SimulatedEvent {
  atMs: number
  run: () => void
}

/** A simulation of discrete events: processes wait in simulated time, and nothing else takes time. */
export class Simulation {
  nowMs = 0
  /** A binary heap, with the first event at its start. */
  readonly #events: SimulatedEvent[] = []

  start(process: SimulatedProcess, ended = () => {}): void {
    const goOn = () => {
      const { value, done } = process.next()
      if (done) ended()
      else value(goOn)
    }
    goOn()
  }

  /** Starts processes, and goes on when all have ended. */
  all(processes: SimulatedProcess[]): Step {
    return (goOn) => {
      let running = processes.length
      for (const process of processes) this.start(process, () => { if (--running === 0) goOn() })
    }
  }

  wait(ms: number): Step {
    return (goOn) => this.at(this.nowMs + ms, goOn)
  }

  at(atMs: number, run: () => void): void {
    const events = this.#events
    let index = events.push({ atMs, run }) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (events[parent]!.atMs <= atMs) break
      events[index] = events[parent]!
      index = parent
    }
    events[index] = { atMs, run }
  }

  /** Runs events in the order of their times, until none is left or the simulation has ended. */
  run(hasEnded = () => false): void {
    while (this.#events.length > 0 && !hasEnded()) {
      const { atMs, run } = this.#takeFirst()
      this.nowMs = atMs
      run()
    }
  }

  #takeFirst(): SimulatedEvent {
    const events = this.#events
    const first = events[0]!
    const moved = events.pop()!
    let index = 0
    for (let child = 1; child < events.length; child = 2 * index + 1) {
      if (child + 1 < events.length && events[child + 1]!.atMs < events[child]!.atMs) child++
      if (events[child]!.atMs >= moved.atMs) break
      events[index] = events[child]!
      index = child
    }
    if (events.length > 0) events[index] = moved
    return first
  }
}

/** One holder at a time, in the order of the calls. */
export class SimulatedLock {
  readonly #waiting: (() => void)[] = []
  #isHeld = false

  take(): Step {
    return (goOn) => {
      if (this.#isHeld) return void this.#waiting.push(goOn)
      this.#isHeld = true
      goOn()
    }
  }

  release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#isHeld = false
  }
}

/** The processors of a machine, which all its work shares equally; a piece of work uses one at most. */
export class SimulatedProcessors {
  /** Processor time that was used. */
  busyMs = 0
  readonly #simulation: Simulation
  readonly #count: number
  /** Each piece of work, with the value of `#progressMs` at which it ends. */
  readonly #running = new Map<() => void, number>()
  /** Processor time that a piece of work would have got that runs since the start. */
  #progressMs = 0
  #changedAtMs = 0
  #changes = 0

  /** @param count a fraction when other work on the machine takes the rest */
  constructor(simulation: Simulation, count: number) {
    this.#simulation = simulation
    this.#count = count
  }

  /** Uses so much time of a processor. */
  use(ms: number): Step {
    return (goOn) => {
      this.#advance()
      this.#running.set(goOn, this.#progressMs + ms)
      this.#planNext()
    }
  }

  #advance(): void {
    const passedMs = this.#simulation.nowMs - this.#changedAtMs
    this.#changedAtMs = this.#simulation.nowMs
    if (this.#running.size === 0) return
    this.#progressMs += passedMs * this.#speed()
    this.busyMs += passedMs * this.#speed() * this.#running.size
  }

  #speed(): number {
    return Math.min(1, this.#count / this.#running.size)
  }

  #planNext(): void {
    const change = ++this.#changes
    let next: [goOn: () => void, endMs: number] | undefined
    for (const work of this.#running) if (!next || work[1] < next[1]) next = work
    if (!next) return
    const [goOn, endMs] = next
    this.#simulation.at(this.#simulation.nowMs + Math.max(0, endMs - this.#progressMs) / this.#speed(), () => {
      if (change !== this.#changes) return // other work has begun or ended meanwhile
      this.#advance()
      this.#running.delete(goOn)
      this.#planNext()
      goOn()
    })
  }
}

/** Uniform numbers from 0 to 1, the same for a seed in each run (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = state + 0x6D2B79F5 | 0
    let bits = Math.imul(state ^ state >>> 15, state | 1)
    bits ^= bits + Math.imul(bits ^ bits >>> 7, bits | 61)
    return ((bits ^ bits >>> 14) >>> 0) / 2 ** 32
  }
}
