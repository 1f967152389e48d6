import { requestSignInLink } from '../../domain/sign-in-links.ts'
import type { HandlersOf } from './handler.ts'

export const signInLinks = {
  async 'signInLinks.create'(app, { body }) {
    await requestSignInLink(app, body.email)
    return { message: 'If this address has an account, a mail with a link is on its way. The link works once and for 15 minutes.' }
  },
} satisfies HandlersOf<'signInLinks'>
