import type { ManagedAccountCreate } from '../../api/generated/types.gen.ts'
import { adminTexts } from './texts.ts'

const { plans } = adminTexts.accounts

/** The plans to choose from. @param current added when it is a plan that this page does not know */
export const planOptions = (current?: string) => [
  ...(Object.keys(plans) as ManagedAccountCreate['plan'][]).map((value) => ({ value, label: plans[value] })),
  ...current !== undefined && !(current in plans) ? [{ value: current, label: current }] : [],
]
