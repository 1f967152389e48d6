import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Transactions } from '../../../changes/queries.ts'
import type { SearchMaintenance } from '../../../engine.ts'
import { openOwnerChecks } from '../../../search/owner-checks.ts'
import { addBatch } from './window-batch.ts'

/** Builds windows for owners with many mails, as batches are complete. Only the thread that indexes mails may build windows. */
export function openWindowBuilder(db: Transactions): SearchMaintenance {
  const checks = openOwnerChecks()
  const closing = new AbortController()
  let building: Promise<void> | undefined

  const pause = () => nextTurn(undefined, { signal: closing.signal })
  async function buildAll() {
    for (const owner of checks.take()) {
      while (await addBatch(db, { ...owner, pause })) await pause()
    }
  }

  return {
    recordIndexed: checks.recordIndexed,
    isDue: checks.isDue,
    async run() {
      building ??= buildAll().finally(() => { building = undefined })
      try {
        await building
      } catch (error) {
        if (!closing.signal.aborted) throw error
      }
    },
    close: () => { closing.abort() },
  }
}
