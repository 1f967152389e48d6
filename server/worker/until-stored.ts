import type { App } from '../context.ts'
import { pause } from '../deadline.ts'
import { AppError } from '../errors.ts'

/** Delay between two attempts while the disk is full. */
const retryMs = 1_000

export const isStorageFull = (error: unknown) => error instanceof AppError && error.code === 'STORAGE_FULL'

/**
 * Repeats a transaction until the disk has room for it.
 * @throws any other error of the transaction, and `STORAGE_FULL` when the server closes
 */
export async function untilStored<T>({ closing }: Pick<App, 'closing'>, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!isStorageFull(error) || closing.aborted) throw error
      await pause(retryMs, closing)
    }
  }
}
