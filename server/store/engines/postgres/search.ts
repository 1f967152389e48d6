import type { SearchIndex } from '../../engine.ts'

export const postgresSearch = { createSql: [] as string[] } as SearchIndex
