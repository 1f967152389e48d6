import type { Scenario } from '../scenario.ts'
import { connections } from './connections.ts'
import { floods } from './floods.ts'
import { mails } from './mails.ts'
import { outgoing } from './outgoing.ts'
import { reads } from './reads.ts'
import { writes } from './writes.ts'

/** Every attack; to add one, write `{ name, says, attack }` in the file that it belongs to. */
export const scenarios: Scenario[] = [...reads, ...floods, ...writes, ...connections, ...mails, ...outgoing]
