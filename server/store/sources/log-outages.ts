import type { Logger } from 'pino'
import type { StoreCall } from './source-store.ts'

/**
 * Logs for each kind of call that the store is unavailable, and that it is available again, once each.
 * @returns a function that gets each call, and passes it on
 */
export function logOutages(log: Logger, record: (call: StoreCall) => void): (call: StoreCall) => void {
  const failing = new Set<StoreCall['operation']>()
  return (call) => {
    record(call)
    const { operation, error } = call
    if (failing.has(operation) === (error !== undefined)) return
    if (error) {
      failing.add(operation)
      log.error({ err: error, operation }, effects[operation])
    } else {
      failing.delete(operation)
      log.info({ operation }, 'the store of MAYFLY_SOURCES is available again')
    }
  }
}

const effects: Record<StoreCall['operation'], string> = {
  put: 'the store of MAYFLY_SOURCES takes no objects: mail waits in the database',
  read: 'the store of MAYFLY_SOURCES cannot be read: older mail is answered 503',
  remove: 'the store of MAYFLY_SOURCES removes no objects: those of deleted mail stay, without the keys of the mail',
}
