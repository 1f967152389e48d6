import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { CliError } from '../cli-error.ts'

/** The server's URL, and the API key. */
export interface Settings {
  baseUrl: string
  apiKey: string
}

type Environment = Record<string, string | undefined>

export const defaultUrl = 'http://localhost:3000'

/**
 * Reads the URL from `--url`, else `MAYFLY_BASE_URL`, else the login; and the key from `MAYFLY_API_KEY`, else the login.
 * The key of a login is sent to the server of that login alone.
 * @throws CliError when there is no key
 */
export function readSettings(options: { url?: string }, env: Environment): Settings {
  const login = readLogin(env)
  const baseUrl = chooseUrl(options, env) ?? login?.baseUrl ?? defaultUrl
  const apiKey = env['MAYFLY_API_KEY'] || (login && isSameUrl(login.baseUrl, baseUrl) ? login.apiKey : undefined)
  if (apiKey) return { baseUrl, apiKey }
  const shownUrl = normalUrl(baseUrl) // without a password
  throw new CliError(login
    ? `There is no API key for ${shownUrl}: the login is for ${login.baseUrl}. "mayfly login --url ${shownUrl}" changes it, or set MAYFLY_API_KEY.`
    : 'There is no API key. "mayfly login" stores one, or set MAYFLY_API_KEY.')
}

export const chooseUrl = (options: { url?: string }, env: Environment): string | undefined => options.url ?? (env['MAYFLY_BASE_URL'] || undefined)

/** The file in which `mayfly login` stores URL and key. */
export function loginFile(env: Environment): string {
  const base = env['XDG_CONFIG_HOME']
  return join(base && isAbsolute(base) ? base : join(homedir(), '.config'), 'mayfly', 'config.json')
}

/** @returns undefined without a login */
export function readLogin(env: Environment): Settings | undefined {
  const file = loginFile(env)
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new CliError(`The login cannot be read: ${(error as Error).message}`)
  }
  try {
    const { baseUrl, apiKey } = JSON.parse(text) as Partial<Settings>
    if (typeof baseUrl === 'string' && typeof apiKey === 'string') return { baseUrl, apiKey }
  } catch {
    // reported below
  }
  throw new CliError(`${file} is not a valid login. "mayfly logout" removes it.`)
}

/** Writes the file atomically, readable by its owner alone from the first byte on. */
export function writeLogin(env: Environment, settings: Settings): string {
  const file = loginFile(env)
  const draft = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    chmodSync(dirname(file), 0o700)
    rmSync(draft, { force: true })
    const handle = openSync(draft, 'wx', 0o600)
    try {
      writeSync(handle, `${JSON.stringify(settings, null, 2)}\n`)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw new CliError(`The login cannot be stored: ${(error as Error).message}`)
  }
  return file
}

/** @returns whether there was a login */
export function removeLogin(env: Environment): boolean {
  try {
    rmSync(loginFile(env))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw new CliError(`The login cannot be removed: ${(error as Error).message}`)
  }
}

function isSameUrl(a: string, b: string): boolean {
  return normalUrl(a) === normalUrl(b)
}

/** The URL as the SDK writes it. A text that is no URL is returned as it is: the SDK refuses it. */
export function normalUrl(text: string): string {
  if (!URL.canParse(text)) return text
  const { origin, pathname } = new URL(text)
  return origin + pathname.replace(/\/+$/, '')
}
