import type { Engine } from '../engine.ts'

/** Search by the ids of mails, where one node at a time would give numbers. */
export const statements = ({ search }: Engine) => search.keyByIdSql
