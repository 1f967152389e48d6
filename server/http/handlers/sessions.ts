import { endAllSessions, endSession, listAccountsOf, personOf, signIn, switchAccount } from '../../domain/sessions.ts'
import { listSessions } from '../../store/accounts/sessions.ts'
import { change } from './change.ts'
import type { HandlersOf } from './handler.ts'

export const sessions = {
  async 'sessions.list'(app, { caller }) {
    return { data: await listSessions(app.db, personOf(caller), caller.sessionId) }
  },

  async 'sessions.create'(app, { body, client, setSession, auditOf }) {
    const { session, cookie } = await signIn(app, { ...body, ...client() }, (caller, data) => auditOf(caller, { data }))
    setSession(cookie)
    return { data: session }
  },

  'sessions.switch': change({
    run: (tx, { caller, body }) => switchAccount(tx, caller, body.accountId),
    reply: () => ({ message: 'The session shows the other account.' }),
  }),

  'sessions.deleteAll': change({
    run: (tx, { caller }) => endAllSessions(tx, caller),
    async show(_app, { setSession }) {
      setSession(null)
      return { message: 'All sessions have ended.' }
    },
  }),

  'sessions.delete': change({
    run: (tx, { caller, path }) => endSession(tx, caller, path.id),
    reply: () => ({ message: 'The session has ended.' }),
  }),

  async 'memberships.list'(app, { caller }) {
    return { data: await listAccountsOf(app.db, caller) }
  },
} satisfies HandlersOf<'sessions' | 'memberships'>
