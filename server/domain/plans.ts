import { dayMs } from '../durations.ts'
import { planRequired } from '../errors.ts'
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
