import type { SmtpLogin } from '../../contract/types.gen.ts'
import { createAddress, deleteAddress, updateAddress } from '../../domain/addresses.ts'
import { getSmtpFaults, setSmtpFaults } from '../../domain/smtp-faults.ts'
import { createSmtpLogin, deleteSmtpLogin } from '../../domain/smtp-logins.ts'
import { notFound } from '../../errors.ts'
import { listAddresses } from '../../store/addresses/address-list.ts'
import { findAddress } from '../../store/addresses/addresses.ts'
import { listActivity } from '../../store/addresses/smtp-activity.ts'
import { pageOf, shownPage } from '../../store/page.ts'
import { change } from './change.ts'
import type { HandlersOf } from './handler.ts'

export const addresses = {
  async 'addresses.list'(app, { caller, query }) {
    const page = pageOf(query, 20)
    return { data: { ...await listAddresses(app.db, caller, { status: query.status, ...page }), ...shownPage(page) } }
  },

  'addresses.create': change({
    run: (tx, { caller, body }, app) => createAddress(tx, app, caller, body),
    reply: (data) => ({ data }),
    toRepeat: ({ data }) => ({ data: { ...data, smtp: data.smtp && withoutPassword(data.smtp) } }),
  }),

  async 'addresses.get'(app, { caller, path }) {
    const address = await findAddress(app.db, caller, path.id)
    if (!address) throw notFound('address')
    return { data: address }
  },

  'addresses.update': change({
    run: (tx, { caller, path, body }) => updateAddress(tx, caller, path.id, body),
    reply: (data) => ({ data }),
  }),

  'addresses.delete': change({
    run: (tx, { caller, path }) => deleteAddress(tx, caller, path.id),
    reply: (_deleted, { path }) => ({ message: 'The address and all its emails are deleted.', data: { id: path.id, deleted: true } }),
  }),

  async 'addresses.activity'(app, { caller, path, query }) {
    if (!await findAddress(app.db, caller, path.id)) throw notFound('address')
    const page = pageOf(query, 20)
    return { ...await listActivity(app.db, path.id, page), ...shownPage(page) }
  },

  'addresses.createSmtpLogin': change({
    run: (tx, { caller, path }, app) => createSmtpLogin(tx, app, caller, path.id),
    reply: (data) => ({ data, message: 'The login is ready. Its password is shown only once.' }),
    toRepeat: ({ data, message }) => ({ data: withoutPassword(data), message }),
  }),

  'addresses.deleteSmtpLogin': change({
    run: (tx, { caller, path }) => deleteSmtpLogin(tx, caller, path.id),
    reply: () => ({ message: 'The SMTP login of the address has ended.' }),
  }),

  'addresses.setSmtpFaults': change({
    run: (tx, { caller, path, body }) => setSmtpFaults(tx, caller, path.id, body),
    reply: (data) => ({ data }),
  }),

  'addresses.getSmtpFaults': async (app, { caller, path }) => ({ data: await getSmtpFaults(app.db, caller, path.id) }),

  'addresses.clearSmtpFaults': change({
    run: (tx, { caller, path }) => setSmtpFaults(tx, caller, path.id, { steps: [] }),
    reply: () => ({ message: 'The address has no SMTP faults any more.' }),
  }),
} satisfies HandlersOf<'addresses'>

/** A password is shown once. JSON leaves out a member that is undefined. */
const withoutPassword = (login: SmtpLogin): SmtpLogin => ({ ...login, password: undefined, url: undefined })
