import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, dirname } from 'node:path'
import { Interrupted } from '../cli-error.ts'
import { line, say } from '../output.ts'

/** Exit codes of shells: command not found, and command not executable. */
const notFound = 127
const notRunnable = 126

/** `spawn` of Node starts no scripts of cmd.exe, such as npm, by their name. */
const missing = process.platform === 'win32' ? 'there is no such program; a script such as npm needs "cmd /c" before it' : 'there is no such command'

const forwarded = ['SIGTERM', 'SIGHUP', 'SIGUSR2', 'SIGINT', 'SIGQUIT'] as const

const codeOfSignal = (name: NodeJS.Signals) => 128 + constants.signals[name]

export interface CommandRunner {
  /** Aborted with `Interrupted` by a signal before the command runs. */
  signal: AbortSignal
  /** Runs the command. @returns its exit code, 128 + n after the signal n, or 127 or 126 when it cannot be started */
  run(words: string[], variables: Record<string, string>): Promise<number>
}

/** Takes the signals of this process from now on: a command that runs gets them. */
export function openCommandRunner(): CommandRunner {
  const controller = new AbortController()
  let forward = (name: NodeJS.Signals) => controller.abort(new Interrupted(codeOfSignal(name)))
  for (const name of forwarded) process.on(name, () => forward(name))
  return {
    signal: controller.signal,
    run: ([command, ...args], variables) => new Promise((resolve) => {
      const child = spawn(command!, args, { env: { ...process.env, ...ownPath(), ...variables }, stdio: 'inherit' })
      forward = (name) => {
        const isSentByTerminal = process.stdin.isTTY && (name === 'SIGINT' || name === 'SIGQUIT')
        if (!isSentByTerminal) child.kill(name)
      }
      child.once('error', (error: NodeJS.ErrnoException) => {
        const isMissing = error.code === 'ENOENT'
        say(line`mayfly: ${command!}: ${isMissing ? missing : `cannot be run: ${error.message}`}`)
        resolve(isMissing ? notFound : notRunnable)
      })
      child.once('exit', (code, name) => {
        forward = () => {} // the server is being stopped
        resolve(code ?? codeOfSignal(name!))
      })
    }),
  }
}

/** The PATH without the Node that a checkout of Mayfly has installed, which cli/installed-node.js puts first: a command has its own. */
function ownPath(): Record<string, string> {
  const name = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  const [first, ...rest] = (process.env[name] ?? '').split(delimiter)
  const folder = dirname(process.execPath)
  return first === folder && folder.includes('node_modules') ? { [name]: rest.join(delimiter) } : {}
}
