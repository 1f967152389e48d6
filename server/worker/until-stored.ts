import type { App } from '../context.ts'
import { pause } from '../deadline.ts'
import { AppError, UnavailableError } from '../errors.ts'

/** Delay between two attempts while the disk is full, or the database unavailable. */
const retryMs = 1_000

/** Whether a transaction failed since the disk is full, or the database unavailable. */
export const cannotStoreNow = (error: unknown) =>
  error instanceof AppError && error.code === 'STORAGE_FULL' || error instanceof UnavailableError && error.part === 'database'

/**
 * Repeats a transaction until the database can store it.
 * @throws any other error of the transaction, and these when the server closes
 */
export async function untilStored<T>({ closing }: Pick<App, 'closing'>, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!cannotStoreNow(error) || closing.aborted) throw error
      await pause(retryMs, closing)
    }
  }
}
