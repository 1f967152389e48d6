import { receiveTestEmail } from '../../domain/test-emails.ts'
import type { Handlers } from './handler.ts'

export const testMode = {
  async 'test.createEmail'(app, { caller, body }) {
    return { data: await receiveTestEmail(app, caller, body) }
  },
} satisfies Pick<Handlers, 'test.createEmail'>
