import { statSync } from 'node:fs'
import type Sqlite from 'better-sqlite3'
import type { DatabaseFile } from '../../engine.ts'

export const pageBytes = 4096
/** Free pages that the file keeps for new mail: this number, or this share of the file if that is more. */
const keptFreePages = 64 * 1024 * 1024 / pageBytes
const keptFreeShare = 0.25
/** The value of `auto_vacuum` that releases free pages on request only. A file that was created without it cannot shrink. */
const incremental = 2

/** Takes effect in a new file only; in an existing file it would be a transaction, which may have to wait for the write lock. */
export function makeShrinkable(writer: Sqlite.Database) {
  if (writer.pragma('page_count', { simple: true }) === 0) writer.pragma(`auto_vacuum = ${incremental}`)
}

export function openFreePages(
  file: string, writer: Sqlite.Database, reader: Sqlite.Database,
): Pick<DatabaseFile, 'freeBytes' | 'excessPages' | 'shrink'> {
  const canShrink = writer.pragma('auto_vacuum', { simple: true }) === incremental
  const count = (pragma: 'page_count' | 'freelist_count') => Number(reader.pragma(pragma, { simple: true }))
  return {
    freeBytes() {
      const unwritten = count('page_count') * pageBytes - statSync(file).size
      return count('freelist_count') * pageBytes - Math.max(0, unwritten)
    },
    excessPages() {
      const kept = Math.max(keptFreePages, Math.ceil(count('page_count') * keptFreeShare))
      return canShrink ? Math.max(0, count('freelist_count') - kept) : 0
    },
    shrink(pages) {
      writer.exec(`pragma incremental_vacuum(${pages})`)
    },
  }
}
