// This file is made of kysely 0.29.9 by `npm run generate`: see build/libraries.ts
export { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
