import { storageFull, UnavailableError } from '../../../errors.ts'

/** The five characters of an error of the server (SQLSTATE), or the code of an error of the network. */
export const codeOf = (error: unknown) => error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Whether the disk of the server is full. */
export const isFull = (error: unknown) => codeOf(error) === '53100'

/** Serialization failure, deadlock, and a lock that is not available: another transaction was first. */
const isBusy = (error: unknown) => ['40001', '40P01', '55P03'].includes(codeOf(error))

/** Whether the connection failed or was ended, so that the result of the last statement is not known. */
export const isLost = (error: unknown) => /^(08|57P0|25P0[34])/.test(codeOf(error)) || /^E(?!RR_)[A-Z_]+$/.test(codeOf(error))
  || (error instanceof Error && /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(error.message))

/** Whether a statement that the server keeps had other columns when it was prepared. */
export const isStale = (error: unknown) => codeOf(error) === '0A000' && (error as { routine?: string }).routine === 'RevalidateCachedQuery'

const busyRetryMs = 1
/** A server that is restarted is there again within seconds. */
const reconnectMs = 50

export function retryAfterMs(error: unknown): number | undefined {
  if (isBusy(error) || isStale(error)) return busyRetryMs
  return isLost(error) ? reconnectMs : undefined
}

/** The disk of the server is full, or fails (58). */
const cannotStore = /^(53100|58...)$/

/** Connections or memory of the server (53), its operator (57P), and a standby that only reads. */
const isUnavailable = /^(53...|57P..|25006)$/

export function toAppError(error: unknown): unknown {
  const code = codeOf(error)
  if (cannotStore.test(code)) return Object.assign(storageFull('This server cannot store anything at the moment. Try again later.'), { cause: error })
  return isBusy(error) || isLost(error) || isUnavailable.test(code) ? new UnavailableError('database', error) : error
}
