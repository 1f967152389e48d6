import { checkTopic } from '../../domain/domain-checks.ts'
import { describeCheck, isChecked, requestCheck } from '../../domain/domain-verification.ts'
import { createDomain, deleteDomain } from '../../domain/domains.ts'
import { listDomains } from '../../store/domains.ts'
import { waitFor } from '../../store/wait-for.ts'
import type { Handlers } from './handler.ts'

/** Milliseconds that a caller waits for the name servers. */
const timeoutMs = 2_000

export const domains = {
  async 'domains.list'(app, { caller }) {
    return { data: await listDomains(app.db, caller) }
  },

  async 'domains.create'(app, { caller, body }) {
    return { data: await createDomain(app, caller, body) }
  },

  async 'domains.delete'(app, { caller, path }) {
    await deleteDomain(app, caller, path.id)
    return { message: 'The domain is deleted.' }
  },

  async 'domains.verify'(app, request) {
    const { caller, path } = request
    const check = await requestCheck(app, caller, path.id)
    if (check !== null) {
      const look = () => isChecked(app, caller, path.id, check)
      await waitFor(app.db, checkTopic(path.id), look, { timeoutMs, gone: request.gone })
    }
    return describeCheck(app, caller, path.id, check)
  },
} satisfies Pick<Handlers, 'domains.list' | 'domains.create' | 'domains.delete' | 'domains.verify'>
