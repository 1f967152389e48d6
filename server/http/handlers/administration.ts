import type { App, Caller } from '../../context.ts'
import type { OperationId } from '../../contract/operations.gen.ts'
import { changeManagedPlan, createManagedAccount, deleteManagedAccount, readManagedAccounts } from '../../domain/managed-accounts.ts'
import { requireAdmin } from '../../domain/plans.ts'
import { readCapturedMail } from '../../domain/stored-mail.ts'
import { notFound } from '../../errors.ts'
import { listCapturedMails } from '../../store/outgoing/captured-mails.ts'
import { pageOf } from '../../store/page.ts'
import { change } from './change.ts'
import type { Change, HandlersOf, Read } from './handler.ts'

/** Operations for administrators of the server, in both modes of their sessions. */
export const administration = {
  'accounts.list': readByAdmin((app, { query }) => readManagedAccounts(app, { ...pageOf(query, 20), search: query.search })),

  'accounts.create': changeByAdmin(change({
    run: (tx, { body }, app) => createManagedAccount(tx, app, body),
    reply: (data) => ({ data }),
  })),

  'accounts.update': changeByAdmin(change({
    run: (tx, { path, body }, app) => changeManagedPlan(tx, app, path.id, body.plan),
    reply: (data) => ({ data }),
  })),

  'accounts.delete': changeByAdmin(change({
    run: (tx, { caller, path }) => deleteManagedAccount(tx, caller, path.id),
    reply: () => ({ message: 'The account is deleted. Its data are being removed.' }),
  })),

  'capturedEmails.list': readByAdmin(async ({ db }, { query }) => {
    const { mails, hasMore } = await listCapturedMails(db, pageOf(query, 20))
    return { data: mails, hasMore }
  }),

  'capturedEmails.get': readByAdmin(async ({ db }, { path }) => {
    const data = await readCapturedMail(db, path.id)
    if (!data) throw notFound('captured email')
    return { data }
  }),
} satisfies HandlersOf<'accounts' | 'capturedEmails'>

type AdminOperation = Extract<OperationId, `${'accounts' | 'capturedEmails'}.${string}`>

/** These operations have a caller: `isPublic` of the document is false for all of them. */
const checkCaller = (app: App, { caller }: { caller: Caller | undefined }) => requireAdmin(app, caller!)

function readByAdmin<Id extends AdminOperation>(read: Read<Id>): Read<Id> {
  return async (app, request) => {
    await checkCaller(app, request)
    return read(app, request)
  }
}

/** A repetition is for administrators too: its answer has data of another account. */
function changeByAdmin<Id extends AdminOperation>({ carryOut, repeat }: Change<Id>): Change<Id> {
  return {
    async carryOut(app, request, unit) {
      await checkCaller(app, request)
      return carryOut(app, request, unit)
    },
    async repeat(app, request, stored) {
      await checkCaller(app, request)
      return repeat(app, request, stored)
    },
  }
}
