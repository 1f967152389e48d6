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

/** Linux gives a thread with the niceness 5 so much of the share of another one. */
const weightOfLow = 1 / 3

interface RunningWork {
  goOn: () => void
  priority: 'normal' | 'low'
  /** The value of `#progressMs` at which it ends. */
  endMs: number
}

/** The processors of a machine, which all its work shares; a piece of work uses one at most. */
export class SimulatedProcessors {
  /** Processor time that was used. */
  busyMs = 0
  readonly #simulation: Simulation
  readonly #count: number
  readonly #running = new Set<RunningWork>()
  readonly #counts = { normal: 0, low: 0 }
  /** Processor time that a piece of work would have got that runs since the start, by its priority. */
  readonly #progressMs = { normal: 0, low: 0 }
  #changedAtMs = 0
  #changes = 0

  /** @param count a fraction when other work on the machine takes the rest */
  constructor(simulation: Simulation, count: number) {
    this.#simulation = simulation
    this.#count = count
  }

  /** Uses so much time of a processor. @param priority work of low priority gets what the other work leaves, and a third of a share */
  use(ms: number, priority: 'normal' | 'low' = 'normal'): Step {
    return (goOn) => {
      this.#advance()
      this.#running.add({ goOn, priority, endMs: this.#progressMs[priority] + ms })
      this.#counts[priority]++
      this.#planNext()
    }
  }

  #advance(): void {
    const passedMs = this.#simulation.nowMs - this.#changedAtMs
    this.#changedAtMs = this.#simulation.nowMs
    const shares = this.#shares()
    for (const priority of ['normal', 'low'] as const) {
      this.#progressMs[priority] += passedMs * shares[priority]
      this.busyMs += passedMs * shares[priority] * this.#counts[priority]
    }
  }

  /** The speed of a piece of work. */
  #shares(): Record<'normal' | 'low', number> {
    const { normal, low } = this.#counts
    const ofNormal = normal && Math.min(1, this.#count / (normal + weightOfLow * low))
    return { normal: ofNormal, low: low && Math.min(1, (this.#count - normal * ofNormal) / low) }
  }

  #planNext(): void {
    const change = ++this.#changes
    const shares = this.#shares()
    let [next, nextMs]: [RunningWork | undefined, number] = [undefined, Infinity]
    for (const work of this.#running) {
      const ms = Math.max(0, work.endMs - this.#progressMs[work.priority]) / shares[work.priority]
      if (ms < nextMs) [next, nextMs] = [work, ms]
    }
    if (!next) return
    const ended = next
    this.#simulation.at(this.#simulation.nowMs + nextMs, () => {
      if (change !== this.#changes) return // other work has begun or ended meanwhile
      this.#advance()
      this.#running.delete(ended)
      this.#counts[ended.priority]--
      this.#planNext()
      ended.goOn()
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
