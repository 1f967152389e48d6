import { formatSeconds } from '../../ui/relative-time.tsx'
import { formTexts } from './form-texts.ts'

const hour = 3_600
const day = 24 * hour
const choices = [600, 1_800, hour, 6 * hour, day, 7 * day, 30 * day]

/** Lifetimes of an address up to the maximum of the plan, the longest last. @param maxSeconds the maximum */
export const lifetimeChoices = (maxSeconds: number): { value: string, label: string }[] => [
  ...choices.filter((seconds) => seconds < maxSeconds).map((seconds) => ({ value: String(seconds), label: nameLifetime(seconds) })),
  { value: String(maxSeconds), label: formTexts.form.maximum(nameLifetime(maxSeconds)) },
]

const nameLifetime = (seconds: number): string => seconds < hour ? `${Math.round(seconds / 60)} min` : formatSeconds(seconds)
