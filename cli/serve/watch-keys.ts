import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { print } from '../output.ts'

/**
 * Calls the action of each key that is pressed. Return makes an empty line, and the keys that send signals go on to do so.
 * @returns a function that ends this and restores the terminal; undefined where no keys can be read, as in the background
 */
export function watchKeys(actions: Record<string, () => void>): (() => void) | undefined {
  const { stdin } = process
  if (!stdin.isTTY || !isInForeground()) return undefined // a process in the background that changes the terminal is stopped
  const press = (text: string) => {
    for (const key of text) {
      if (key === '\r') print({}, '', String)
      else if (key in signals) signal(signals[key as keyof typeof signals])
      else if (Object.hasOwn(actions, key)) actions[key]!()
    }
  }
  const readKeys = () => {
    if (isInForeground()) stdin.setRawMode(true)
  }
  // in raw mode the terminal sends no signals; they are for the whole job, such as npm and its shell
  const signal = (name: NodeJS.Signals) => {
    if (name === 'SIGTSTP') stdin.setRawMode(false)
    if (process.platform === 'win32') process.emit(name)
    else process.kill(0, name)
  }
  stdin.setEncoding('utf8').on('data', press).on('error', () => {}) // EIO: the terminal is gone
  readKeys()
  stdin.unref()
  process.on('SIGCONT', readKeys)
  return () => {
    process.off('SIGCONT', readKeys)
    stdin.off('data', press).pause().setRawMode(false)
  }
}

const signals = { '\x03': 'SIGINT', '\x1a': 'SIGTSTP', '\x1c': 'SIGQUIT' } as const

/** Whether the process group of this process is that of the terminal. */
function isInForeground(): boolean {
  if (process.platform === 'win32') return true
  try {
    const [own, foreground] = process.platform === 'linux'
      ? readFileSync('/proc/self/stat', 'utf8').replace(/^.*\) /s, '').split(' ').filter((_, index) => index === 2 || index === 5)
      : execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], { encoding: 'utf8' }).trim().split(/\s+/)
    return own === foreground
  } catch {
    return false
  }
}
