/** All keys of the dashboard: `use-keys.ts` reads them, and the dialog of `?` lists them. Two keys are pressed one after the other. */
export const keymap = {
  next: { keys: ['j', 'ArrowDown'], label: 'Next mail' },
  previous: { keys: ['k', 'ArrowUp'], label: 'Previous mail' },
  open: { keys: ['Enter', 'o'], label: 'Open the mail' },
  back: { keys: ['u', 'Escape'], label: 'Close the mail, or clear the selection' },
  copyCode: { keys: ['c'], label: 'Copy the code of the mail' },
  openLink: { keys: ['l'], label: 'Open the first link of the mail' },
  copyLink: { keys: ['L'], label: 'Copy the first link of the mail' },
  select: { keys: ['x'], label: 'Select the mail' },
  star: { keys: ['s'], label: 'Star the mail, or remove its star' },
  read: { keys: ['I'], label: 'Mark as read' },
  unread: { keys: ['U'], label: 'Mark as unread' },
  delete: { keys: ['#', 'Delete'], label: 'Delete' },
  undo: { keys: ['z'], label: 'Undo the last deletion' },
  search: { keys: ['/'], label: 'Search' },
  newAddress: { keys: ['n'], label: 'New address' },
  goToMail: { keys: ['g m'], label: 'Go to Mail' },
  goToSend: { keys: ['g s'], label: 'Go to Send' },
  goToDomains: { keys: ['g d'], label: 'Go to Domains' },
  goToForwarding: { keys: ['g f'], label: 'Go to Forwarding' },
  goToWebhooks: { keys: ['g w'], label: 'Go to Webhooks' },
  goToKeys: { keys: ['g k'], label: 'Go to API keys' },
  goToAnalytics: { keys: ['g a'], label: 'Go to Analytics' },
  goToAudit: { keys: ['g l'], label: 'Go to Audit log' },
  goToAccount: { keys: ['g c'], label: 'Go to Account' },
  help: { keys: ['?'], label: 'Show these keys' },
} as const satisfies Record<string, { keys: readonly string[], label: string }>

export type KeyAction = keyof typeof keymap

/** Names of keys in the dialog. */
export const keyNames: Record<string, string> = {
  ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc', I: 'Shift I', L: 'Shift L', U: 'Shift U',
}

/** Keys that move within a field, a list of choices or a button: there they keep their meaning. */
const keysOfControls = new Set(['Enter', 'ArrowDown', 'ArrowUp'])

const actions = new Map<string, KeyAction>(
  Object.entries(keymap).flatMap(([action, { keys }]) => keys.map((key) => [key, action as KeyAction] as const)),
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
