import type { Tx } from './changes/queries.ts'

/**
 * The time that nodes compare, in milliseconds since 1970: the clocks of their machines differ, so all of them have to read one clock. An
 * engine of one process has that of the process.
 */
export const databaseTime = async ({ now }: Tx): Promise<number> => now
