import { publish, storeAhead } from '../../domain/receiving.ts'
import type { AcceptedMessage } from '../../envelope.ts'
import { readSource } from '../../store/messages.ts'
import type { Task } from '../task.ts'

/** A message that ended the process this often is no longer parsed in full. */
const fatalAttempts = 2

export const parseMessage: Task<AcceptedMessage> = {
  concurrency: 32,
  lease: 120,
  delays: [1, 5, 30, 300],
  async run(app, message, { attempts }) {
    const source = Buffer.concat(await Array.fromAsync(readSource(app.db, message.id)))
    const parsed = await app.mime.parse(source, { headersOnly: attempts > fatalAttempts })
    await storeAhead(app, message.id, parsed)
    return (tx) => publish(tx, message, parsed)
  },
}
