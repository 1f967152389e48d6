import type { Engine } from '../engine.ts'

/** Bitmaps of frequent words in the search index of PostgreSQL. */
export const statements = ({ search }: Engine) => search.createBitmapsSql
