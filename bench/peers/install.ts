import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../build/paths.ts'

/** Not within the sources, whose tools would read it, and not a part of what `npm ci` installs. */
const folder = join(root, 'node_modules/.bench-peers')
const lock = 'package-lock.json'

/** Installs the servers of package.json beside this file, once for each lock file. @returns the folder of their packages */
export function installPeers(): string {
  const source = join(root, 'bench/peers')
  const installed = join(folder, 'node_modules')
  const read = (path: string) => existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (existsSync(installed) && read(join(folder, lock)) === read(join(source, lock))) return installed
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', lock]) copyFileSync(join(source, file), join(folder, file))
  console.log(`installing MailDev and Haraka in ${folder}`)
  execFileSync('npm', ['ci', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder, stdio: 'inherit', shell: process.platform === 'win32',
  })
  return installed
}
