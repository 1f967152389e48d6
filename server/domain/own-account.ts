import { isIP } from 'node:net'
import type { App, Caller } from '../context.ts'
import type { Account } from '../contract/types.gen.ts'
import { isLoopback } from '../network.ts'
import { findAccount } from '../store/accounts/accounts.ts'
import { plansWithApi } from '../store/schema/values.ts'
import { isAdmin, maxLifetimeSeconds } from './plans.ts'
import { listAccountsOf } from './sessions.ts'
import { loginServer } from './smtp-logins.ts'

/** The account of a caller, the limits of its plan, and the settings of the server that pages show. */
export async function readOwnAccount(app: App, caller: Caller): Promise<Account> {
  const { id, email, plan, createdAt } = await findAccount(app.db, caller.accountId)
  return {
    id, email, plan, createdAt,
    userEmail: caller.member!.email,
    role: caller.member!.role,
    hasOthers: (await listAccountsOf(app.db, caller, 2)).length > 1,
    isAdmin: await isAdmin(app, caller),
    maxAddressSeconds: maxLifetimeSeconds[plan],
    hasApi: plansWithApi.includes(plan),
    server: {
      defaultDomain: app.config.defaultDomain,
      smtpUrl: smtpUrl(app),
      smtpLogin: loginServer(app),
      outbound: outboundNames[app.config.outbound.kind],
      retentionSeconds: app.config.retentionSeconds,
    },
  }
}

const outboundNames = { capture: 'capture', direct: 'direct', smarthost: 'relay' } as const

/** A server that listens at all of its addresses has the host of its base URL. */
function smtpUrl({ config: { smtp: { host } }, baseUrl, smtpPort }: App): string {
  const name = host === '0.0.0.0' || host === '::' ? new URL(baseUrl()).hostname : isLoopback(host) ? 'localhost' : host
  return `smtp://${isIP(name) === 6 ? `[${name}]` : name}:${smtpPort()}`
}
