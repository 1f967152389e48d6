import { execFile } from 'node:child_process'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { hasGrown } from '../support/grown.ts'
import { serverBuild } from '../support/server-build.ts'
import { isIntact, openDatabaseFile } from '../support/store/database-files.ts'
import { sendMails } from './send-mails.ts'
import { newAddress, startServer } from './server.ts'

export interface BackupReport {
  backups: number
  /** Mails that were answered 250 while the back-ups were made. */
  accepted: number
  /** Mails that were answered 250 before a back-up began, and which it does not have. */
  lost: string[]
  /** Restored databases in which SQLite finds a fault. */
  damaged: number
  /** Copies of the database file alone, made meanwhile, and those with which a server has started. */
  copies: number
  started: number
  /** Milliseconds of each back-up, as the command states it, and bytes of the largest. */
  tookMs: number[]
  maxBytes: number
}

const connections = 20
/** About 200 mails a second. */
const pauseMs = 100
/** Back-ups of one database, so that the files stay small. */
const backupsOfDatabase = 20
const run = promisify(execFile)

/** Repeatedly backs up a database while its server receives mail over 20 connections, then restores the file and opens it with a server. */
export async function backupRounds(backups: number, folder: string, progress: (round: number) => void = () => {}): Promise<BackupReport> {
  const report: BackupReport = { backups, accepted: 0, lost: [], damaged: 0, copies: 0, started: 0, tookMs: [], maxBytes: 0 }
  for (let done = 0; done < backups; done += backupsOfDatabase) {
    const place = join(folder, `from ${done}`)
    await mkdir(place)
    const server = await startServer(place)
    const { address } = await newAddress(server.url, server.key)
    const accepted = new Set<string>()
    for (let round = done + 1; round <= Math.min(backups, done + backupsOfDatabase); round++) {
      await backUpUnderLoad({ port: server.smtpPort, recipient: address, place, round, accepted }, report)
      progress(round)
    }
    report.accepted += accepted.size
    server.child.kill('SIGTERM')
    await server.exited
    await rm(place, { recursive: true })
  }
  return report
}

interface Round {
  port: number
  recipient: string
  place: string
  round: number
  accepted: Set<string>
}

async function backUpUnderLoad({ port, recipient, place, round, accepted }: Round, report: BackupReport) {
  const [file, restored, copy] = ['backup.db', 'restored/mayfly.db', 'copy.db'].map((name) => join(place, name)) as [string, string, string]
  const ending = new AbortController()
  const load = Promise.all(Array.from({ length: connections }, (_, connection) => sendMails({
    port, recipient, name: `mail ${round}-${connection}`, bytes: (mail) => mail % 10 === 0 ? 40_000 : 2_000, mails: Infinity,
    pauseMs, signal: ending.signal, accepted,
  })))
  await hasGrown(accepted, 3 * connections, 10_000)
  const before = [...accepted]
  const { bytes, durationMs } = JSON.parse(await mayfly(join(place, 'mayfly.db'), 'backup', file, '--force', '--json'))
  await copyFile(join(place, 'mayfly.db'), copy)
  ending.abort()
  await load
  report.tookMs.push(durationMs)
  report.maxBytes = Math.max(report.maxBytes, bytes)
  report.copies++
  if (await starts(copy)) report.started++

  await mayfly(restored, 'restore', file)
  if (!isIntact(restored)) report.damaged++
  const server = await startServer(place, { MAYFLY_DATABASE: restored })
  server.child.kill('SIGTERM')
  await server.exited
  const subjects = subjectsIn(restored)
  report.lost.push(...before.filter((subject) => !subjects.has(subject)))
  await rm(dirname(restored), { recursive: true })
}

function subjectsIn(file: string) {
  using database = openDatabaseFile(file)
  return database.receivedSubjects()
}

/** Whether a command opens the database. */
const starts = (database: string) => mayfly(database, 'account', 'list').then(() => true, (error: { stderr: string }) => {
  if (!error.stderr.includes('is a copy without its log')) throw error
  return false
})

async function mayfly(database: string, ...args: string[]): Promise<string> {
  const { programs, compileCache } = await serverBuild()
  const env = { ...process.env, MAYFLY_DATABASE: database, MAYFLY_MIN_FREE_BYTES: '0', NODE_COMPILE_CACHE: compileCache }
  return (await run(process.execPath, [programs.mayfly, ...args], { env })).stdout
}
