import { publish, storeAhead } from '../../domain/receiving.ts'
import { findMessage, readSource } from '../../store/messages.ts'
import type { Task } from '../task.ts'

/** A message that ended the process this often is no longer parsed in full. */
const fatalAttempts = 2

export const parseMessage: Task<{ messageId: string }> = {
  concurrency: 32,
  lease: 120,
  delays: [1, 5, 30, 300],
  async run(app, { messageId }, { attempts }) {
    const message = await findMessage(app.db, messageId)
    if (message?.state !== 'accepted') return async () => {}
    const source = await readSource(app.db, messageId)
    const parsed = await app.mime.parse(source, { headersOnly: attempts > fatalAttempts })
    await storeAhead(app, messageId, parsed)
    return (tx) => publish(tx, message, parsed)
  },
}
