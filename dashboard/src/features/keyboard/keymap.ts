/** All keys of the dashboard: `use-keys.ts` reads them, and the dialog of `?` lists them. Two keys are pressed one after the other. */
export const keymap = {
  next: ['j', 'ArrowDown'],
  previous: ['k', 'ArrowUp'],
  open: ['Enter', 'o'],
  back: ['u', 'Escape'],
  copyCode: ['c'],
  openLink: ['l'],
  copyLink: ['L'],
  select: ['x'],
  star: ['s'],
  read: ['I'],
  unread: ['U'],
  delete: ['#', 'Delete'],
  undo: ['z'],
  search: ['/'],
  newAddress: ['n'],
  goToMail: ['g m'],
  goToSend: ['g s'],
  goToDomains: ['g d'],
  goToForwarding: ['g f'],
  goToWebhooks: ['g w'],
  goToKeys: ['g k'],
  goToAnalytics: ['g a'],
  goToAudit: ['g l'],
  goToAccount: ['g c'],
  help: ['?'],
} as const satisfies Record<string, readonly string[]>

export type KeyAction = keyof typeof keymap

/** Names of keys in the dialog. */
export const keyNames: Record<string, string> = {
  ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc', I: 'Shift I', L: 'Shift L', U: 'Shift U',
}

/** Keys that move within a field, a list of choices or a button: there they keep their meaning. */
const keysOfControls = new Set(['Enter', 'ArrowDown', 'ArrowUp'])

const actions = new Map<string, KeyAction>(
  Object.entries(keymap).flatMap(([action, keys]) => keys.map((key) => [key, action as KeyAction] as const)),
)
const prefixes = new Set([...actions.keys()].filter((key) => key.includes(' ')).map((key) => key.split(' ')[0]!))

/** The second key of two is expected within this time. */
const sequenceMs = 1_500

let prefix: { key: string, at: number } | undefined

/** @returns the action of a pressed key; none in a field and in a dialog */
export function findAction(event: KeyboardEvent): KeyAction | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return undefined
  const isSecond = prefix && event.timeStamp - prefix.at < sequenceMs
  const action = actions.get(isSecond ? `${prefix!.key} ${event.key}` : event.key)
  prefix = !isSecond && prefixes.has(event.key) ? { key: event.key, at: event.timeStamp } : undefined
  return action
}

function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('textarea, select, [role="dialog"]')) return true
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox'
  return keysOfControls.has(key) && target.closest('a, button, summary, [role="tab"], [role="button"]') !== null && !target.closest('[data-mail]')
}
