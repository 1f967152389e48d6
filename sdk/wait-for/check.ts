import { MayflyError } from '../core/errors.ts'
import type { WaitInput } from './options.ts'

interface Check {
  is(value: unknown): boolean
  expected: string
}

const isText: Check = { is: (value) => typeof value === 'string' || value instanceof RegExp, expected: 'a text or a regular expression' }
const isFunction: Check = { is: (value) => typeof value === 'function', expected: 'a function that takes an email' }

/** All options, each with its check; null for those that are checked where they are used. */
const checks: Record<keyof WaitInput, Check | null> = {
  addressId: null, after: null, timeoutMs: null, signal: null, part: null,
  from: isText, to: isText, subject: isText, body: isText, text: isText, url: isText, match: isFunction,
}

/**
 * Checks what JavaScript may pass: an option that is ignored by mistake would make the wait return other mail, or none.
 * @throws MayflyError that names the option
 */
export function checkOptions(options: WaitInput): void {
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name as keyof WaitInput] : undefined
    if (check === undefined) throw new MayflyError(`emails.waitFor has no option "${name}". WaitForOptions has them all.`)
    if (check && value !== undefined && !check.is(value)) throw new MayflyError(`emails.waitFor: ${name} must be ${check.expected}`)
  }
}
