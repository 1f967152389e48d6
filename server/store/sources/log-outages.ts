import type { Logger } from 'pino'
import type { StoreCall } from './source-store.ts'

/** Logs that the store is away, and that it is there again, once each. @returns a function that gets each call, and passes it on */
export function logOutages(log: Logger, record: (call: StoreCall) => void): (call: StoreCall) => void {
  let isAway = false
  return (call) => {
    record(call)
    const { operation, error } = call
    if (isAway === (error !== undefined)) return
    isAway = error !== undefined
    if (error) log.error({ err: error.cause, operation }, 'the store of MAYFLY_SOURCES is away: mail waits in the database, and older mail cannot be read')
    else log.info('the store of MAYFLY_SOURCES is there again')
  }
}
