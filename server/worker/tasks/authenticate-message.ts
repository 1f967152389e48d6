import { unlessAborted } from '../../deadline.ts'
import { recordAuthentication } from '../../domain/publishing.ts'
import { errorRetryDelaysMs } from '../../domain/retry-delays.ts'
import { unchecked } from '../../outbound/authentication-results.ts'
import { completed } from '../run-job.ts'
import type { Task } from '../run-job.ts'

/** Attempts that ended the thread, after which a message is not checked: it may be the cause. */
const fatalAttempts = 2

/** Checks SPF, DKIM, DMARC and ARC of a received mail. Its forwards go out then, even if the check has failed. */
export const authenticateMessage: Task<'authenticate-message'> = {
  // most jobs wait for the name servers of the sender's domain, which may not answer
  maxPerLane: 80,
  maxInAllLanes: 300,
  maxPerLanePart: { account: 100, network: 100, senderDomain: 80 },
  underLoad: { maxJobs: 16, pauseMs: 100 },
  errorRetryDelaysMs: errorRetryDelaysMs.soon,
  async run({ intake, closing }, { messageId }, job) {
    if (await unlessAborted(intake.authenticate(job, messageId), closing)) return completed
    if (job.attempts < fatalAttempts) throw new Error('the thread that authenticates mail ended before it answered')
    return (tx) => recordAuthentication(tx, messageId, unchecked, null)
  },
}
