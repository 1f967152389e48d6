import { createForwardingAddress, deleteForwardingAddress, resendVerification } from '../../domain/forwarding-addresses.ts'
import { notFound } from '../../errors.ts'
import { findForwardingAddress, listForwardingAddresses } from '../../store/addresses/forwarding-addresses.ts'
import { pageOf, shownPage } from '../../store/page.ts'
import { change } from './change.ts'
import type { HandlersOf } from './handler.ts'

export const forwardingAddresses = {
  async 'forwardingAddresses.list'(app, { caller, query }) {
    const page = pageOf(query, 20)
    return { data: { ...await listForwardingAddresses(app.db, caller, page), ...shownPage(page) } }
  },

  'forwardingAddresses.create': change({
    prepare: (app, { caller, body }) => createForwardingAddress(app, caller, body),
    reply: (data) => ({ data, message: mailSentTo(data.email) }),
  }),

  async 'forwardingAddresses.get'(app, { caller, path }) {
    const address = await findForwardingAddress(app.db, caller, path.id)
    if (!address) throw notFound('forwarding address')
    return { data: address }
  },

  'forwardingAddresses.delete': change({
    run: (tx, { caller, path }) => deleteForwardingAddress(tx, caller, path.id),
    reply: () => ({ message: 'The forwarding address and its rules are deleted.' }),
  }),

  'forwardingAddresses.resendVerification': change({
    prepare: (app, { caller, path }) => resendVerification(app, caller, path.id),
    reply: (email) => ({ message: mailSentTo(email) }),
  }),
} satisfies HandlersOf<'forwardingAddresses'>

const mailSentTo = (email: string) => `A verification email is on its way to ${email}.`
