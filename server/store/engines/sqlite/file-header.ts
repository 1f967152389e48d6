import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { fileOf, logOf, logs } from './file-names.ts'

/**
 * The value of `user_version`, a field of the header that SQLite leaves to programs, in a file without a mark. A mark is "MF" and a number
 * of the server's start.
 */
export const noMark = 0
const markBase = 0x4d46_0000
const maxStart = 0xffff

/** It tells starts apart and is no secret, so it does without node:crypto, which a short command would load for it alone. */
export const newMark = (): number => markBase + 1 + Math.floor(Math.random() * maxStart)
export const isMark = (value: number): boolean => value > markBase && value <= markBase + maxStart

/** Positions in the file. @see https://sqlite.org/fileformat2.html, sections "The Database Header" and "B-tree Pages" */
const writeVersionAt = 18
const userVersionAt = 60
const rootPageTypeAt = 100
const rootCellsAt = 103
const readBytes = 105
/** Values of the two fields: the file has a write-ahead log; the page has entries and no pages below it. */
const walVersion = 2
const leafPage = 13

/** A database file that was copied without its log, has no tables, or is missing beside its log. */
export interface Incomplete {
  part: 'log' | 'tables' | 'file'
  /** Follows the name of the file in a sentence. */
  reason: string
}

/**
 * Finds out whether a file, not a symbolic link, is only a part of a database (docs/decisions/0019). SQLite would open it with old data, or
 * as an empty one. The file is read only while it has no log, so no connection of this process is open: closing the file would release its
 * POSIX locks.
 */
export function findIncomplete(file: string): Incomplete | undefined {
  const log = basename(logOf(file))
  if (!existsSync(file)) {
    const left = logs.map((kind) => fileOf(file, kind)).find((name) => statSync(name, { throwIfNoEntry: false })?.size)
    return left === undefined ? undefined : { part: 'file', reason: `is missing, while its log (${basename(left)}) is there` }
  }
  if (existsSync(logOf(file)) || !statSync(file).isFile()) return undefined
  const header = readHeader(file)
  if (existsSync(logOf(file))) return undefined // another process has opened it meanwhile
  if (header.isEmpty) return { part: 'tables', reason: `has no tables, and no log (${log}) beside it` }
  if (header.mark !== noMark && header.mark !== markOfKilledServer(file)) return { part: 'log', reason: `is a copy without its log (${log}), which has the newest data` }
  return undefined
}

/** @throws Error naming the variable and the way out when the file is only a part of a database */
export function refuseIncomplete(file: string): void {
  const incomplete = findIncomplete(file)
  if (incomplete) throw new Error(`MAYFLY_DATABASE: ${file} ${incomplete.reason}. ${wayOut(file, incomplete)}`)
}

export function wayOut(file: string, { part }: Incomplete): string {
  if (part === 'file') return 'Put the file back, or move the log away to begin with a new database.'
  const copy = 'Where the server runs, "mayfly backup FILE" makes a complete copy, also meanwhile.'
  return part === 'log'
    ? `${copy} "mayfly restore ${file} --without-log --force" accepts that its newest data are lost.`
    : `${copy} To begin with a new database, remove the file.`
}

/**
 * The mark that a killed server has left in its lock. A file with the same mark and without a log is complete: another program has moved
 * the log into it.
 */
function markOfKilledServer(file: string): number | undefined {
  return existsSync(fileOf(file, 'lock')) ? readHeader(fileOf(file, 'lock')).version : undefined
}

function readHeader(file: string): { isEmpty: boolean, version: number, mark: number } {
  const bytes = Buffer.alloc(readBytes)
  const descriptor = openSync(file, 'r')
  try {
    const isShort = readSync(descriptor, bytes, 0, readBytes, 0) < readBytes
    const isSqlite = bytes.toString('latin1', 0, 15) === 'SQLite format 3'
    const version = isSqlite ? bytes.readUInt32BE(userVersionAt) : 0
    return {
      version,
      isEmpty: isShort ? bytes[0] === 0 : isSqlite && bytes[rootPageTypeAt] === leafPage && bytes.readUInt16BE(rootCellsAt) === 0,
      mark: isMark(version) && bytes[writeVersionAt] === walVersion ? version : noMark,
    }
  } finally {
    closeSync(descriptor)
  }
}
