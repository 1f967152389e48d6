import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { inspectDatabase } from '../../server/store/inspect.ts'
import { CliError } from '../cli-error.ts'
import type { Variables } from './launch-server.ts'

/** A server in the background, as its folder describes it: before it is ready, it has a time until which it may start. */
type Background = { pid: number } & ({ variables: Variables } | { startsUntil: number })

/** A server that runs in a folder, or starts there. */
export interface Running {
  /** Undefined for a server that only the lock of its database tells, on a system that does not tell its process. */
  pid: number | undefined
  /** Undefined until it is ready, and when its start was killed before. */
  variables: Variables | undefined
  /** Whether the process has the database. */
  isServing: boolean
}

/** The pause between two looks whether a server has ended, and the time in which it has to. */
const pauseMs = 50
const maxStopMs = 40_000

/** The files of a server in the background. `mayfly.json` describes it, with its key. */
export const filesOf = (folder: string): Record<'database' | 'log' | 'state' | 'mails', string> => ({
  database: join(folder, 'mayfly.db'), log: join(folder, 'mayfly.log'), state: join(folder, 'mayfly.json'), mails: join(folder, 'mayfly.mails'),
})

/**
 * Makes the folder, which Git ignores, and takes it for this process.
 * @param wait seconds in which the server has to be ready
 * @throws CliError when a server runs in it, or starts there
 */
export async function claimFolder(folder: string, wait: number): Promise<void> {
  const { state } = filesOf(folder)
  for (let isMine = false; !isMine;) {
    const before = readText(state)
    const running = await findRunning(folder)
    if (running) throw new CliError(`${inWords(running, folder)}. "mayfly stop" ends it.`)
    try {
      if (before !== undefined && readText(state) === before) rmSync(state, { force: true }) // of a server that was killed
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(join(folder, '.gitignore'), '*\n')
      writeState(folder, { pid: process.pid, startsUntil: startEnd(wait) }, 'wx')
      isMine = true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw new CliError(`${folder} cannot be written: ${(error as Error).message}`)
    }
  }
  removeAll(folder, /^mayfly\.(db.*|log|mails)$/)
}

function inWords({ pid, variables, isServing }: Running, folder: string): string {
  const process = pid === undefined ? '' : `, process ${pid}`
  return `a server ${isServing ? 'runs' : 'starts'} in ${folder} already${process}${variables ? ` at ${variables.MAYFLY_BASE_URL}` : ''}`
}

/** The time until which a server may start. */
export const startEnd = (wait: number): number => Date.now() + wait * 1_000

export function writeState(folder: string, state: Background, flag: 'w' | 'wx' = 'w'): void {
  writeFileSync(filesOf(folder).state, `${JSON.stringify(state)}\n`, { mode: 0o600, flag })
}

/** @returns undefined when no server runs there; a process that merely has the recorded process id is no server */
export async function findRunning(folder: string): Promise<Running | undefined> {
  const { database } = filesOf(folder)
  const state = await readState(folder)
  const inspection = await inspectDatabase(database)
  const isServing = 'isServed' in inspection && inspection.isServed
  const variables = state && 'variables' in state ? state.variables : undefined
  const pid = state && state.pid !== process.pid && isAlive(state.pid) ? state.pid : undefined
  if (isServing) return { pid: pid ?? ('servedBy' in inspection ? inspection.servedBy : undefined), variables, isServing }
  const mayStart = state && 'startsUntil' in state && Date.now() < state.startsUntil
  return pid !== undefined && mayStart ? { pid, variables, isServing } : undefined
}

async function readState(folder: string): Promise<Background | undefined> {
  const { state } = filesOf(folder)
  for (let isLast = false; ; isLast = true) {
    const text = readText(state)
    try {
      return text === undefined ? undefined : JSON.parse(text) as Background
    } catch (error) {
      if (isLast) throw new CliError(`${state} cannot be read: ${(error as Error).message}. Remove it once no server runs there.`)
      await setTimeout(pauseMs) // it is being written
    }
  }
}

/** @returns undefined without the file */
function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new CliError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

/**
 * Ends the server, and waits for that. In a container whose process 1 awaits no others, the process itself stays. A server under start is
 * ended once it has the database: only then does its number surely name it.
 */
export async function endServer(folder: string): Promise<void> {
  let running = await findRunning(folder)
  while (running && !running.isServing) {
    await setTimeout(pauseMs)
    running = await findRunning(folder)
  }
  if (!running) return
  const { pid } = running
  if (pid === undefined) throw new CliError(`a server runs in ${folder}, and its process is unknown. End that process first.`)
  process.kill(pid)
  const until = performance.now() + maxStopMs
  while (await findRunning(folder)) {
    if (performance.now() > until) process.kill(pid, 'SIGKILL')
    await setTimeout(pauseMs)
  }
}

/** Removes the files of a server, unless one runs there, and the folder if it is empty then. */
export async function removeFiles(folder: string): Promise<void> {
  if (await findRunning(folder)) return
  if (removeAll(folder, /^(mayfly\.(db.*|log|json|mails)|\.gitignore)$/) === 0) rmdirSync(folder)
}

/** @returns how many files of other names are there; undefined without the folder */
function removeAll(folder: string, names: RegExp): number | undefined {
  let found: string[]
  try {
    found = readdirSync(folder)
  } catch {
    return undefined
  }
  const removed = found.filter((name) => names.test(name))
  for (const name of removed) rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 5 })
  return found.length - removed.length
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
