import type { AcceptedMessage } from '../../envelope.ts'
import type { Task } from '../task.ts'

/** A message that ended the process this often is no longer parsed in full. */
const fatalAttempts = 2

/** Shows a mail that was answered 250 before it was parsed: it is long, or the parser had no time for it. */
export const parseMessage: Task<AcceptedMessage> = {
  concurrency: 1,
  lease: 120,
  delays: [1, 5, 30, 300],
  async run({ intake }, message, { attempts }) {
    // publishing twice changes nothing, so it does not matter that the job is completed after it
    if (attempts <= fatalAttempts && await intake.publish(message, null)) return async () => {}
    const problem = 'This mail took too much time or memory to read. Only its header is shown.'
    if (await intake.publish(message, problem)) return async () => {}
    throw new Error('the thread that publishes mail ends before it answers')
  },
}
