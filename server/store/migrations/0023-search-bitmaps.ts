import type { Engine } from '../engine.ts'

/** Searches for frequent words that no mail has together. */
export const statements = ({ search }: Engine) => search.createBitmapsSql
