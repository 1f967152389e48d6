import type { Scenario } from '../scenario.ts'
import { connections } from './connections.ts'
import { floods } from './floods.ts'
import { mails } from './mails.ts'
import { outgoing } from './outgoing.ts'
import { reads } from './reads.ts'
import { writes } from './writes.ts'

const nothing: Scenario = {
  name: 'nothing',
  says: 'no attack: what the machine alone makes of the figures',
  attack: async () => {},
}

/** Every attack; to add one, write `{ name, says, attack }` in the file that it belongs to. */
export const scenarios: Scenario[] = [nothing, ...reads, ...floods, ...writes, ...connections, ...mails, ...outgoing]
