import { createForwardingAddress, deleteForwardingAddress, noForwardingAddress, resendVerification } from '../../domain/forwarding-addresses.ts'
import { findForwardingAddress, listForwardingAddresses } from '../../store/forwarding-addresses.ts'
import type { Handlers } from './handler.ts'
import { pageOf, shownPage } from './page.ts'

export const forwardingAddresses = {
  async 'forwardingAddresses.list'(app, { caller, query }) {
    const page = pageOf(query, 20)
    return { data: { ...await listForwardingAddresses(app.db, caller, page), ...shownPage(page) } }
  },

  async 'forwardingAddresses.create'(app, { caller, body }) {
    const data = await createForwardingAddress(app, caller, body)
    return { data, message: mailSentTo(data.email) }
  },

  async 'forwardingAddresses.get'(app, { caller, path }) {
    const address = await findForwardingAddress(app.db, caller, path.id)
    if (!address) throw noForwardingAddress()
    return { data: address }
  },

  async 'forwardingAddresses.delete'(app, { caller, path }) {
    await deleteForwardingAddress(app, caller, path.id)
    return { message: 'The forwarding address and its rules are deleted.' }
  },

  async 'forwardingAddresses.resendVerification'(app, { caller, path }) {
    return { message: mailSentTo(await resendVerification(app, caller, path.id)) }
  },
} satisfies Pick<Handlers,
  'forwardingAddresses.list' | 'forwardingAddresses.create' | 'forwardingAddresses.get' | 'forwardingAddresses.delete' |
  'forwardingAddresses.resendVerification'>

const mailSentTo = (email: string) => `A verification email is on its way to ${email}.`
