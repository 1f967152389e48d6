import type { TaskName } from './job-payloads.ts'

/**
 * The parts of a lane of each task, in the order in which its key has them. Jobs of one task in different lanes never wait for one another;
 * a task without parts has a single lane. The keys are stored with the jobs, so the order must not change (docs/decisions/0021).
 */
const parts = {
  'parse-message': ['account'],
  'discard-message': [],
  'authenticate-message': ['account', 'network', 'senderDomain'],
  'deliver-mail': ['account', 'destination'],
  'deliver-webhook': ['account', 'webhook'],
  'verify-domain': ['domain'],
  'expire-address': [],
  'purge-address': [],
  'purge-mailbox': [],
  'trim-mailbox': ['address'],
  'purge-account': [],
  'bind-addresses': [],
  'purge-messages': [],
  'shrink-database': [],
  'give-up-deliveries': [],
  'purge-deliveries': [],
  'send-sign-in-link': [],
  'sweep': ['sweep'],
  'move-sources': [],
  'remove-segments': [],
} as const satisfies Record<TaskName, readonly string[]>

export type LanePart<K extends TaskName> = (typeof parts)[K][number]

export type Lane<K extends TaskName> = Record<LanePart<K>, string>

export const laneParts: { [K in TaskName]: readonly LanePart<K>[] } = parts

/** The topic of the commits that make a job of this task and lane due. */
export const jobTopic = (task: string, laneKey: string) => `jobs/${task}/${laneKey}`

/** @returns the key of the lane, as the column `jobs.lane` has it: its parts, separated by slashes, which are removed from the parts */
export function encodeLane<K extends TaskName>(task: K, lane: Lane<K>): string {
  return laneParts[task].map((part) => lane[part].replaceAll('/', '')).join('/')
}

/** @param key may have fewer parts, as for a job that was queued without a lane: the missing ones are empty */
export function decodeLane<K extends TaskName>(task: K, key: string): Lane<K> {
  const values = key.split('/')
  return Object.fromEntries(laneParts[task].map((part, i) => [part, values[i] ?? ''])) as Lane<K>
}
