import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Runs npm to its end, which on Windows is a script of the shell. @returns its stdout */
export const npm = (args: string[], cwd: string): string => execFileSync('npm', args, {
  cwd, encoding: 'utf8', maxBuffer: 1024 ** 3, shell: process.platform === 'win32', stdio: ['ignore', 'pipe', 'inherit'],
})

/**
 * Downloads a package that `npm ci` does not install.
 * @param version its name and version
 * @param integrity of its tarball, as package-lock.json has it
 * @param folder an empty folder
 * @returns the folder with its files
 * @throws Error of another tarball, and with the `status` of npm without a registry
 */
export function downloadPackage(version: string, integrity: string, folder: string): string {
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--silent', '--prefer-offline', version], folder)) as [{ filename: string }]
  const [algorithm, sum] = integrity.split(/-(.*)/) as [string, string]
  const found = createHash(algorithm).update(readFileSync(join(folder, filename))).digest('base64')
  if (found !== sum) throw new Error(`${version} has the integrity ${algorithm}-${found}, and not ${integrity}`)
  execFileSync('tar', ['-xzf', filename], { cwd: folder })
  return join(folder, 'package')
}
