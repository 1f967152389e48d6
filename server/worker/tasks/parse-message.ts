import { recordShown } from '../../domain/receiving.ts'
import { errorRetryDelaysMs } from '../../domain/retry-delays.ts'
import { storageFull } from '../../errors.ts'
import { ClaimLost } from '../../store/jobs/claims.ts'
import type { Task } from '../run-job.ts'

/** Attempts after which a message is no longer parsed in full: it may have ended the process. */
const fatalAttempts = 2

const problem = 'This mail took too much time or memory to read. Only its header is shown.'

/**
 * Publishes a mail that was answered 250 before it was parsed, because it is long or beyond the parse budget. A thread parses one
 * mail at a time; each account has a lane, so many mails of one account delay another account by one mail.
 */
export const parseMessage: Task<'parse-message'> = {
  maxPerLane: 1,
  maxInAllLanes: 1,
  errorRetryDelaysMs: errorRetryDelaysMs.soon,
  async run({ intake, arriving, config, freeBytes }, message, job) {
    // publishing may use space that was reserved when the mail was accepted, but not the last quarter of it
    if (await freeBytes() < config.minFreeBytes / 4) throw storageFull('There is not enough space to show a mail.')
    try {
      const isShown = job.attempts <= fatalAttempts && await intake.publish(message, null, job)
        || await intake.publish(message, problem, job)
      if (!isShown) throw new Error('the thread that publishes mail ends before it answers')
    } catch (error) {
      if (error instanceof ClaimLost) recordShown(arriving, message) // by another node
      throw error
    }
    recordShown(arriving, message)
    return async () => {} // publishing is idempotent, so the job may be completed in a later transaction
  },
}
