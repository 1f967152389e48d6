import { inTransaction } from '../../../server/store/database.ts'
import type { Database } from '../../../server/store/database.ts'

/** Empties the ledger of mail that left. */
export const forgetMails = (db: Database): Promise<unknown> => inTransaction(db, (tx) => tx.sql.deleteFrom('mail_counts').execute())
