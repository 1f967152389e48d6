import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
export const sources = `${root}/python/src`
export const programs = `${root}/test/python/programs`

/** Why a test with Python cannot run on this machine. Undefined where it can. */
export type Reason = string | undefined

/** Python 3.10 or newer, with these modules. */
export function pythonLacks(...modules: string[]): Reason {
  const code = `import sys; assert sys.version_info >= (3, 10); ${modules.map((name) => `import ${name}`).join('; ')}`
  const { status } = spawnSync('python3', ['-c', code])
  return status === 0 ? undefined : `no python3 of version 3.10 or newer${modules.length > 0 ? ` with ${modules.join(' and ')}` : ''}`
}

/** Defines the tests where the machine has Python; else prints a line, and the tests count neither as passed nor as failed. */
export function withPython(title: string, tests: () => void, ...modules: string[]) {
  const reason = pythonLacks(...modules)
  if (reason === undefined) describe(title, tests)
  else console.log(`${title}: not run, since this machine has ${reason}`)
}

/** Runs a program to its end, and returns what it printed. @throws Error with its output when it fails */
export function runPython(args: string[], env: Record<string, string> = {}, python = 'python3'): Promise<string> {
  const variables = { ...process.env, PYTHONPATH: sources, PYTHONDONTWRITEBYTECODE: '1', ...env }
  return new Promise((resolve, reject) => {
    execFile(python, args, { env: variables }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stdout}\n${stderr}`))
      else resolve(stdout)
    })
  })
}
