import { describeCheck, isChecked, requestCheck } from '../../domain/domain-verification.ts'
import { changeDomain, checkTopic, createDomain, deleteDomain } from '../../domain/domains.ts'
import { listDomains } from '../../store/addresses/domains.ts'
import { waitFor } from '../../store/changes/wait-for.ts'
import { change } from './change.ts'
import type { HandlersOf } from './handler.ts'

/** A caller waits for the answer of the name servers up to this time. */
const timeoutMs = 2_000

export const domains = {
  async 'domains.list'(app, { caller }) {
    return { data: await listDomains(app.db, caller) }
  },

  'domains.create': change({
    run: (tx, { caller, body }, app) => createDomain(tx, app, caller, body),
    reply: (data) => ({ data }),
  }),

  'domains.update': change({
    run: (tx, { caller, path, body }) => changeDomain(tx, caller, path.id, body),
    reply: (data) => ({ data }),
  }),

  'domains.delete': change({
    run: (tx, { caller, path }) => deleteDomain(tx, caller, path.id),
    reply: () => ({ message: 'The domain is deleted.' }),
  }),

  'domains.verify': change({
    run: (tx, { caller, path }) => requestCheck(tx, caller, path.id),
    async show(app, request, check) {
      const { caller, path } = request
      if (check !== null) {
        await waitFor(app.db, checkTopic(path.id), () => isChecked(app, caller, path.id, check), { timeoutMs, gone: request.beginWait() })
      }
      return describeCheck(app, caller, path.id, check)
    },
  }),
} satisfies HandlersOf<'domains'>
