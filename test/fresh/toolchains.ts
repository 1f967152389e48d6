import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A Node, and the npm that it bundles. */
export const versions = [
  { node: '20.20.2', npm: '10.8.2' },
  { node: '22.19.0', npm: '10.9.3' },
  { node: '24.21.0', npm: '11.19.1' },
] as const

/** Commands of every system: no compiler, no Python, no other Node. */
const commands = [
  'basename', 'bash', 'cat', 'chmod', 'cp', 'cut', 'date', 'dirname', 'env', 'expr', 'false', 'grep', 'head', 'id', 'ln', 'ls', 'mkdir',
  'mktemp', 'mv', 'ps', 'pwd', 'readlink', 'rm', 'rmdir', 'sed', 'sh', 'sleep', 'sort', 'tail', 'test', 'touch', 'tr', 'true', 'uname', 'wc',
]

/** A folder with that Node, its npm and the basic system commands: the whole PATH of a fresh machine. */
export function installToolchain(parent: string, { node, npm }: (typeof versions)[number]): string {
  const folder = join(parent, `node-${node}`)
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  const executable = `node-${process.platform}-${process.arch}`
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: { [executable]: node, npm } }))
  execFileSync('npm', ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, stdio: 'inherit' })
  symlinkSync(join(folder, 'node_modules', executable, 'bin/node'), join(bin, 'node'))
  for (const name of ['npm', 'npx']) symlinkSync(join(folder, `node_modules/npm/bin/${name}-cli.js`), join(bin, name))
  for (const name of commands) {
    const path = ['/usr/bin', '/bin'].map((system) => join(system, name)).find(exists)
    if (path) symlinkSync(path, join(bin, name))
  }
  return bin
}

function exists(path: string): boolean {
  try {
    readFileSync(path)
    return true
  } catch {
    return false
  }
}
