import { isReceived, receiveTestEmail } from '../../domain/test-emails.ts'
import type { Handlers } from './handler.ts'

export const testMode = {
  async 'test.createEmail'(app, { caller, body, plan }) {
    if (plan?.before && await isReceived(app, caller, plan.before)) return { data: { id: plan.before } }
    return { data: await receiveTestEmail(app, caller, body, plan?.note) }
  },
} satisfies Pick<Handlers, 'test.createEmail'>
