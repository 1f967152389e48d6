import type { Engine } from '../engine.ts'

/** Search without bitmaps. SQLite makes its index anew, while mail is received: rows have the numbers of mails (migration 0027). */
export const statements = ({ search }: Engine) => search.numberByCommitSql
