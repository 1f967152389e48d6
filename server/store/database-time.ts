import type { Tx } from './database.ts'

/**
 * The time that nodes compare, in milliseconds since 1970: the clocks of their machines differ, so all of them read one clock. It is that
 * of the transaction, since `openDatabase` corrects the clock of a machine to that of the server.
 */
export const databaseTime = async ({ now }: Tx): Promise<number> => now
