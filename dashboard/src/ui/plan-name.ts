/** The name of a plan as a word: `Free`. A server may have more plans than the dashboard knows. */
export const planName = (plan: string): string => plan.charAt(0).toUpperCase() + plan.slice(1)
