import { rmSync, statfsSync } from 'node:fs'
import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../server/clock.ts'
import { openDatabase } from '../../server/store/database.ts'
import { newPostgresDatabase } from './postgres.ts'

/** Where Linux has a file system in memory: a commit takes no time of the disk there, so the tests take less. */
const memory = '/dev/shm'
const minFreeBytes = 4 * 1024 ** 3

let parent: string | undefined
let template: Promise<string> | undefined

/** A new folder for the databases of a test. The caller removes it. */
export function newFolder(): Promise<string> {
  parent ??= freeBytesIn(memory) > minFreeBytes ? memory : tmpdir()
  return mkdtemp(join(parent, 'mayfly-test-'))
}

function freeBytesIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0 // another system
  }
}

/**
 * Makes an empty database with today's schema: a copy takes a tenth of the time of the migrations.
 * @param file written for SQLite; with MAYFLY_TEST_ENGINE=postgres, the database is one of the server of the tests
 * @returns its name: the file, or a URL
 */
export async function newDatabase(file: string): Promise<string> {
  if (process.env['MAYFLY_TEST_ENGINE'] === 'postgres') return newPostgresDatabase()
  template ??= makeTemplate()
  await copyFile(await template, file)
  return file
}

async function makeTemplate(): Promise<string> {
  const folder = await newFolder()
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'template.db')
  const db = await openDatabase(file, systemClock)
  await db.close()
  return file
}
