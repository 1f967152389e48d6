/** The outcome of a case, as each driver reports it: names and error classes are those of the TypeScript SDK. */
export interface Outcome {
  /** Of the last call. */
  result?: unknown
  error?: OutcomeError
  pauses: Pause[]
  elapsedMs: number
  /** All texts of the client, its errors and its hooks that a log may have. */
  shown: string
}

export interface OutcomeError {
  class: string
  message: string
  status?: number | null
  code?: string | null
  requestId?: string | null
  retryAfterMs?: number | null
  details?: readonly { path: string, message: string }[] | null
  cause?: string | null
  arrived?: string[]
}

export interface Pause {
  /** From the end of an attempt to the next one. */
  pauseMs: number
  /** From the beginning of an attempt to the next one. */
  intervalMs: number
}

/** A case as a driver gets it. */
export interface Task {
  client: Record<string, string | number>
  environment: Record<string, string>
  calls: TaskCall[]
}

export interface TaskCall {
  method: string
  ids: string[]
  input: Record<string, unknown> | null
  options: Record<string, unknown> | null
  maxItems: number | null
}

/** Carries out the calls of a case with one SDK. */
export type Driver = (task: Task) => Promise<Outcome>
