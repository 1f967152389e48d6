import { readOwnAccount } from '../../domain/own-account.ts'
import type { HandlersOf } from './handler.ts'

export const account = {
  async 'account.get'(app, { caller }) {
    return { data: await readOwnAccount(app, caller) }
  },
} satisfies HandlersOf<'account'>
