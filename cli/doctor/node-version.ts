import { ok } from './check.ts'
import type { Finding } from './check.ts'

/** Versions that cannot run the server were refused before. */
export const nodeVersion = (): Finding => ok(`Node ${process.version}`)
