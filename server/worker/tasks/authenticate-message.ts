import { unlessAborted } from '../../deadline.ts'
import { minuteMs } from '../../durations.ts'
import { errorRetryDelaysMs } from '../../domain/retry-delays.ts'
import { recordAuthentication } from '../../domain/mail-authentication.ts'
import { unchecked } from '../../outbound/authentication-results.ts'
import type { Task } from '../task.ts'

/** Attempts that ended the thread, after which a message is not checked: it may be the cause. */
const fatalAttempts = 2

/** Checks SPF, DKIM, DMARC and ARC of a received mail. Its forwards go out then, even if the check has failed. */
export const authenticateMessage: Task<'authenticate-message'> = {
  // most jobs wait for the name servers of the sender's domain, which may not answer
  maxPerLane: 80,
  maxInAllLanes: 300,
  maxPerLanePart: { account: 100, network: 100, senderDomain: 80 },
  underLoad: { maxJobs: 16, pauseMs: 100 },
  leaseMs: 2 * minuteMs,
  errorRetryDelaysMs: errorRetryDelaysMs.soon,
  async run({ intake, closing }, { messageId }, { attempts }) {
    const found = await unlessAborted(intake.authenticate(messageId), closing)
    if (!found && attempts < fatalAttempts) throw new Error('the thread that authenticates mail ended before it answered')
    const { results, arc } = found || { results: unchecked, arc: null }
    return (tx) => recordAuthentication(tx, messageId, results, arc)
  },
}
