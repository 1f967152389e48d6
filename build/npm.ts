import { execFileSync } from 'node:child_process'

/** Runs npm to its end, which on Windows is a script of the shell. @returns its stdout */
export const npm = (args: string[], cwd: string): string => execFileSync('npm', args, {
  cwd, encoding: 'utf8', maxBuffer: 1024 ** 3, shell: process.platform === 'win32', stdio: ['ignore', 'pipe', 'inherit'],
})
