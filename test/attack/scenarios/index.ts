import type { Scenario } from '../scenario.ts'
import { connections } from './connections.ts'
import { floods } from './floods.ts'
import { logins } from './logins.ts'
import { mails } from './mails.ts'
import { outgoing } from './outgoing.ts'
import { reads } from './reads.ts'
import { writes } from './writes.ts'

const nothing: Scenario = {
  name: 'nothing',
  says: 'no attack: the figures of this machine without load',
  attack: async () => {},
}

/** Every scenario. To add one, write `{ name, says, attack }` in the file of its kind. */
export const scenarios: Scenario[] = [nothing, ...reads, ...floods, ...writes, ...connections, ...mails, ...logins, ...outgoing]
