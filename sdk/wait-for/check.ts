import { MayflyError } from '../core/errors.ts'
import { checkNames } from '../core/unknown-names.ts'
import type { InboxLinkOptions, InboxWaitOptions } from '../resources/inboxes.ts'
import type { WaitForOptions, WaitInput } from './options.ts'
import type { AwaitedInbox } from './wait.ts'

interface Check {
  is(value: unknown): boolean
  expected: string
}

const isText: Check = { is: (value) => typeof value === 'string' || value instanceof RegExp, expected: 'a text or a regular expression' }
const isFunction: Check = { is: (value) => typeof value === 'function', expected: 'a function that takes an email' }

/** The options that are not checked where they are used. */
const checks: Partial<Record<keyof WaitInput, Check>> = {
  from: isText, to: isText, subject: isText, body: isText, text: isText, url: isText, match: isFunction,
}

const optionNames = {
  from: true, to: true, subject: true, body: true, match: true, after: true, timeoutMs: true, signal: true,
} satisfies Record<keyof InboxWaitOptions, true>
const waitForNames = { addressId: true, ...optionNames } satisfies Record<keyof WaitForOptions, true>
const linkNames = { text: true, url: true, ...optionNames } satisfies Record<keyof InboxLinkOptions, true>

/**
 * Checks what JavaScript may pass: an option that is ignored by mistake would make the wait return other mail, or none.
 * @throws MayflyError that names the option
 */
export function checkOptions(options: WaitInput, inbox?: AwaitedInbox): void {
  const method = inbox ? `inbox.waitFor${inbox.part ?? ''}` : 'emails.waitFor'
  checkNames(options, inbox?.part === 'Link' ? linkNames : inbox ? optionNames : waitForNames, method)
  for (const [name, value] of Object.entries(options)) {
    const check = checks[name as keyof WaitInput]
    if (check && value !== undefined && !check.is(value)) throw new MayflyError(`${method}: ${name} must be ${check.expected}`)
  }
}
