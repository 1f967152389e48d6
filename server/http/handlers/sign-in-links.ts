import { requestSignInLink } from '../../domain/sign-in-links.ts'
import { linkLifetimeMinutes } from '../../store/accounts/sign-in-links.ts'
import type { HandlersOf } from './handler.ts'

export const signInLinks = {
  async 'signInLinks.create'(app, { body }) {
    await requestSignInLink(app, body.email)
    const lifetime = `The link works once and for ${linkLifetimeMinutes} minutes.`
    return { message: `If this address has an account, a mail with a link is on its way. ${lifetime}` }
  },
} satisfies HandlersOf<'signInLinks'>
