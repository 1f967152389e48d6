import { createHash } from 'node:crypto'
import type { Config } from './config.ts'

/** RFC 8461, section 3.2. */
export const policyPath = '/.well-known/mta-sts.txt'

/** Short, since a policy that was a mistake holds for this time; RFC 8461, section 3.2, recommends weeks. */
const ownMaxAgeSeconds = 1_209_600

/** The policy of this server's own domains, with the id for their records, which changes with it; undefined without the setting. */
export function ownPolicy({ mtaStsMode, mxHost }: Config): { text: string, id: string } | undefined {
  if (mtaStsMode === null) return undefined
  const text = `version: STSv1\nmode: ${mtaStsMode}\nmx: ${mxHost}\nmax_age: ${ownMaxAgeSeconds}\n`
  return { text, id: createHash('sha256').update(text).digest('hex').slice(0, 16) }
}
