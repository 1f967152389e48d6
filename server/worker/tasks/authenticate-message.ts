import { noteAuthentication } from '../../domain/authentication.ts'
import { unchecked } from '../../outbound/mail-authentication.ts'
import { unlessCut } from '../../outbound/unless-cut.ts'
import type { Task } from '../task.ts'

/** A message whose thread ended this often is not checked: it may be the one that ended it. */
const fatalAttempts = 2

/** Says who vouches for a received mail; its forwards go out then, also when that cannot be said. */
export const authenticateMessage: Task<{ messageId: string }> = {
  // most of them wait for the name servers of the sender, which may be silent
  concurrency: 80,
  inAllLanes: 300,
  ofOnePart: [100, 100, 80], // account that receives, network of the client, domain of the sender
  underLoad: { jobs: 16, pause: 100 },
  lease: 120,
  delays: [1, 5, 30, 300],
  async run({ intake, closing }, { messageId }, { attempts }) {
    const found = await unlessCut(intake.authenticate(messageId), closing)
    if (!found && attempts < fatalAttempts) throw new Error('the thread that authenticates mail ended before it answered')
    const { results, arc } = found || { results: unchecked, arc: null }
    return (tx) => noteAuthentication(tx, messageId, results, arc)
  },
}
