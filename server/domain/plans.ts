import { planRequired } from '../errors.ts'
import { plansWithApi } from '../store/schema/values.ts'
import type { Plan } from '../store/schema/values.ts'

/** Maximum lifetime of an address by plan, in seconds, which is also the default. */
export const maxLifetimeSeconds: Record<Plan, number> = {
  free: 24 * 3600,
  pro: 7 * 24 * 3600,
  business: 30 * 24 * 3600,
}

/** @param part of the service, in the plural @throws AppError `PLAN_REQUIRED` */
export function requirePlanWithApi(part: string, plan: Plan) {
  if (!plansWithApi.includes(plan)) throw planRequired(outsidePlan(part, plan))
}

export const outsidePlan = (part: string, plan: Plan): string => `${part} are part of the Business plan; this account has the ${plan} plan.`
