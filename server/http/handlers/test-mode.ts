import { receiveTestEmail } from '../../domain/test-emails.ts'
import { changeInThread } from './change.ts'
import type { HandlersOf } from './handler.ts'

export const testMode = {
  'test.createEmail': changeInThread(async (app, { caller, body }, recordsOf) => {
    const answer = (id: string) => ({ data: { id } })
    return answer(await receiveTestEmail(app, caller, body, (id) => recordsOf(answer(id))))
  }),
} satisfies HandlersOf<'test'>
