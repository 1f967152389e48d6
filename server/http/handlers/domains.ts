import { checkTopic } from '../../domain/domain-checks.ts'
import { describeCheck, isChecked, requestCheck } from '../../domain/domain-verification.ts'
import { createDomain, deleteDomain } from '../../domain/domains.ts'
import { listDomains } from '../../store/addresses/domains.ts'
import { waitFor } from '../../store/changes/wait-for.ts'
import { change, changeShown } from './change.ts'
import type { HandlersOf } from './handler.ts'

/** A caller waits for the answer of the name servers up to this time. */
const timeoutMs = 2_000

export const domains = {
  async 'domains.list'(app, { caller }) {
    return { data: await listDomains(app.db, caller) }
  },

  'domains.create': change(
    (app, { caller, body }) => createDomain(app, caller, body),
    (data) => ({ data }),
  ),

  'domains.delete': change(
    (app, { caller, path }) => deleteDomain(app, caller, path.id),
    () => ({ message: 'The domain is deleted.' }),
  ),

  'domains.verify': changeShown(
    (app, { caller, path }) => requestCheck(app, caller, path.id),
    async (app, request, check) => {
      const { caller, path } = request
      if (check !== null) {
        await waitFor(app.db, checkTopic(path.id), () => isChecked(app, caller, path.id, check), { timeoutMs, gone: request.beginWait() })
      }
      return describeCheck(app, caller, path.id, check)
    },
  ),
} satisfies HandlersOf<'domains'>
