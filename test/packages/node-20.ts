import { execFileSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Finds Node 20, the oldest version that the SDK and the launcher support: the package in ./node-20 brings it. On a platform without
 * that package, it is searched in the PATH.
 */
export function findNode20(): string | undefined {
  const installed = fileURLToPath(new URL(`../../node_modules/node-20/node_modules/node-${process.platform}-${process.arch}/bin/node`, import.meta.url))
  return [installed, ...process.env['PATH']!.split(delimiter).map((folder) => join(folder, 'node'))].find(isNode20)
}

function isNode20(path: string): boolean {
  try {
    return execFileSync(path, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).startsWith('v20.')
  } catch {
    return false
  }
}
