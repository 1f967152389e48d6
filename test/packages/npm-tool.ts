import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { must, run } from './project.ts'

/**
 * Downloads a package that only one test needs, so `npm ci` does not install it.
 * @param integrity of its tarball, as npm shows it
 * @returns the folder with its files; undefined without a registry @throws Error when the tarball is another
 */
export async function downloadPackage(name: string, integrity: string, parent: string): Promise<string | undefined> {
  const folder = join(parent, 'tool')
  mkdirSync(folder)
  const { code, stdout } = await run('npm', ['pack', '--json', '--silent', '--prefer-offline', name], folder)
  if (code !== 0) return undefined
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  const sum = `sha512-${createHash('sha512').update(readFileSync(join(folder, filename))).digest('base64')}`
  if (sum !== integrity) throw new Error(`${name} has the integrity ${sum}, and not ${integrity}`)
  await must('tar', ['-xzf', filename], folder)
  return join(folder, 'package')
}
