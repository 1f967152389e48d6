import { dayMs } from '../clock.ts'
import type { App, Caller } from '../context.ts'
import { accountFull, missingScope, planRequired } from '../errors.ts'
import { accountBytes, accountDeleted, findAccountById, isStoredAdmin } from '../store/accounts/accounts.ts'
import { plansWithApi } from '../store/schema/values.ts'
import type { Plan } from '../store/schema/values.ts'

/** Maximum lifetime of an address by plan, in seconds, which is also the default. */
export const maxLifetimeSeconds: Record<Plan, number> = {
  free: 24 * 3600,
  pro: 7 * 24 * 3600,
  business: 30 * 24 * 3600,
}

/**
 * Maximum mails in 24 hours that leave the server, by cause and plan: of an account; and to a recipient and to its domain, of all accounts
 * of the plan together.
 */
export const maxMailsPerDay = {
  sent: {
    account: { free: 50, pro: 500, business: 10_000 },
    recipient: { free: 10, pro: 100, business: 1_000 },
    domain: { free: 200, pro: 2_000, business: 10_000 },
  },
  forward: {
    account: { free: 200, pro: 2_000, business: 10_000 },
    recipient: { free: 200, pro: 2_000, business: 10_000 },
    domain: { free: 1_000, pro: 10_000, business: 20_000 },
  },
  verification: {
    account: { free: 20, pro: 50, business: 200 },
    recipient: { free: 10, pro: 10, business: 10 },
    domain: { free: 100, pro: 200, business: 500 },
  },
} satisfies Record<string, Record<string, Record<Plan, number>>>

/** The share of the limits of an account that one which signed itself up may use: a fifth in its first day, half in its first week. */
export const shareOfNewAccount = (ageMs: number): number => ageMs < dayMs ? 0.2 : ageMs < 7 * dayMs ? 0.5 : 1

/** @param part of the service, in the plural @throws AppError `PLAN_REQUIRED` */
export function requirePlanWithApi(part: string, plan: Plan) {
  if (!plansWithApi.includes(plan)) throw planRequired(outsidePlan(part, plan))
}

/** The sentence for a part of the service that a plan does not include. @param part in the plural */
export const outsidePlan = (part: string, plan: Plan): string => `${part} are part of the Business plan; this account has the ${plan} plan.`

/**
 * Checks `MAYFLY_MAX_ACCOUNT_BYTES`. Accepted mail that is not published yet counts as stored.
 * @param bytes about to be stored
 * @throws MailRefusedError when the account would have more than its maximum
 */
export async function refuseWhenAccountFull(
  { config, db, arriving }: Pick<App, 'config' | 'db' | 'arriving'>, { accountId, addressId }: { accountId: string, addressId: string }, bytes: number,
): Promise<void> {
  if (config.maxAccountBytes === 0) return
  let total = bytes + await accountBytes(db, accountId)
  total += await db.engine.shared?.waitingBytes(accountId) ?? 0
  for (const mail of arriving.values()) if (mail.accountId === accountId) total += mail.bytes
  if (total > config.maxAccountBytes) throw accountFull(addressId)
}

/**
 * Whether the person of a session administrates the server: that of the first account of the database, and those of MAYFLY_ADMINS. It is no
 * right of an account, whose other members are no administrators, nor of an invitation, which others saw.
 */
export async function isAdmin({ db, config }: App, { member }: Caller): Promise<boolean> {
  return member !== null && member.isProven && (config.admins.includes(member.email) || isStoredAdmin(db, member.email))
}

/** @throws AppError `MISSING_SCOPE` unless the person administrates the server, `INVALID_API_KEY` when the account was deleted */
export async function requireAdmin(app: App, caller: Caller): Promise<void> {
  if (!await findAccountById(app.db, caller.accountId)) throw accountDeleted()
  if (await isAdmin(app, caller)) return
  throw missingScope('This is for administrators of the server. The variable MAYFLY_ADMINS names their addresses.')
}
