import { ok } from './check.ts'
import type { Finding } from './check.ts'

/** An older one than can run this has been refused before. */
export const nodeVersion = (): Finding => ok(`Node ${process.version}`)
