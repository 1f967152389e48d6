import { storedValue } from '../../ui/stored-value.ts'

/** The first steps that the user has done, or that they are hidden. */
interface FirstTasks {
  hasCopied?: boolean
  isHidden?: boolean
}

export const firstTasks = storedValue<FirstTasks>('mayfly-first-tasks', {}, (value) => typeof value === 'object' && value !== null)

export function recordCopiedCode() {
  if (!firstTasks.read().hasCopied) firstTasks.write({ ...firstTasks.read(), hasCopied: true })
}

export const hideFirstTasks = () => firstTasks.write({ ...firstTasks.read(), isHidden: true })
