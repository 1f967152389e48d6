import { recordShown } from '../../domain/arriving.ts'
import { AppError } from '../../errors.ts'
import type { AcceptedMessage } from '../../envelope.ts'
import type { Task } from '../task.ts'

/** A message that ended the process this often is no longer parsed in full. */
const fatalAttempts = 2

const problem = 'This mail took too much time or memory to read. Only its header is shown.'

/**
 * Publishes a mail that was answered 250 before it was parsed, because it is long or beyond the parse budget. A thread parses one
 * mail at a time; each account has a lane, so many mails of one account delay another account by one mail.
 */
export const parseMessage: Task<AcceptedMessage> = {
  concurrency: 1,
  inAllLanes: 1,
  lease: 1800, // seconds; the mails of other accounts may be parsed first
  delays: [1, 5, 30, 300],
  async run({ intake, arriving, config, freeBytes }, message, { attempts }) {
    // showing a mail takes of the space that was kept back when it was accepted, but never the last of it
    if (await freeBytes() < config.minFreeBytes / 4) throw new AppError('STORAGE_FULL', 'There is not enough space to show a mail.')
    const isShown = attempts <= fatalAttempts && await intake.publish(message, null)
      || await intake.publish(message, problem)
    if (!isShown) throw new Error('the thread that publishes mail ends before it answers')
    recordShown(arriving, message)
    return async () => {} // publishing twice changes nothing, so it does not matter that the job is completed after it
  },
}
