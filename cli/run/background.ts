import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { inspectDatabase } from '../../server/store/inspect.ts'
import { CliError } from '../cli-error.ts'
import type { Variables } from './launch-server.ts'

/** A server in the background, as its folder describes it. */
export interface Background {
  pid: number
  variables: Variables
}

/** The pause between two looks whether a server has ended, and the time in which it has to. */
const pauseMs = 50
const maxStopMs = 40_000

/** The files of a server in the background. `mayfly.json` describes it, with its key. */
export const filesOf = (folder: string): Record<'database' | 'log' | 'state' | 'mails', string> => ({
  database: join(folder, 'mayfly.db'), log: join(folder, 'mayfly.log'), state: join(folder, 'mayfly.json'), mails: join(folder, 'mayfly.mails'),
})

/** Makes the folder, which Git ignores. @throws CliError when a server runs in it */
export async function claimFolder(folder: string): Promise<void> {
  const running = await findRunning(folder)
  if (running) throw new CliError(`a server runs in ${folder} already, process ${running.pid} at ${running.variables.MAYFLY_BASE_URL}. "mayfly stop" ends it.`)
  removeFiles(folder)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, '.gitignore'), '*\n')
  } catch (error) {
    throw new CliError(`${folder} cannot be written: ${(error as Error).message}`)
  }
}

export function writeState(folder: string, state: Background): void {
  writeFileSync(filesOf(folder).state, `${JSON.stringify(state)}\n`, { mode: 0o600 })
}

/** @returns undefined without a server; also for a process that has got the number of one that was killed */
export async function findRunning(folder: string): Promise<Background | undefined> {
  const { database, state } = filesOf(folder)
  let found
  try {
    found = JSON.parse(readFileSync(state, 'utf8')) as Background
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new CliError(`${state} cannot be read: ${(error as Error).message}. Remove it once no server runs there.`)
  }
  if (!isAlive(found.pid)) return undefined
  const inspection = await inspectDatabase(database)
  return 'isServed' in inspection && inspection.isServed ? found : undefined
}

/** Ends the server, and waits for that. In a container whose process 1 awaits no others, the process itself stays. */
export async function endServer(folder: string, pid: number): Promise<void> {
  process.kill(pid)
  const until = performance.now() + maxStopMs
  while (await findRunning(folder)) {
    if (performance.now() > until) process.kill(pid, 'SIGKILL')
    await setTimeout(pauseMs)
  }
}

/** Removes the files of a server that has ended, and the folder if it is empty then. */
export function removeFiles(folder: string): void {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return // there is none
  }
  for (const name of names.filter((name) => /^(mayfly\.(db.*|log|json|mails)|\.gitignore)$/.test(name))) {
    rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 5 })
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
