import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { satisfies, subset } from 'semver'
import { readManifest } from './manifest.ts'
import { root } from './paths.ts'

interface Locked { engines?: Record<string, string>, [member: string]: unknown }

/**
 * `npm run lock`: removes from package-lock.json the `engines` of packages that need a newer Node than npm may run on. These packages
 * run on the Node that the checkout installs, whereas `npm ci` would compare them with its own Node and print a warning for each.
 * Every package has to accept each installed Node. `--check` changes nothing, and exits with 1 when the lock still has such `engines`.
 */
const path = join(root, 'package-lock.json')
const text = readFileSync(path, 'utf8')
const lock = JSON.parse(text) as { packages: Record<string, Locked> }
const { engines, optionalDependencies } = readManifest(root)
const supported = (engines as { node: string }).node
const installed = Object.values(optionalDependencies ?? {})

for (const [folder, locked] of Object.entries(lock.packages)) {
  const required = locked.engines?.['node'] ?? installedEngines(folder)
  const refused = installed.find((version) => required !== undefined && !satisfies(version, required))
  if (refused) throw new Error(`${folder} needs Node ${required}, and package.json installs Node ${refused} on some machines`)
  if (locked.engines?.['node'] && !subset(supported, locked.engines['node'])) delete locked.engines
}

const written = `${JSON.stringify(lock, null, 2)}\n`
if (written === text) process.exit()
if (process.argv.includes('--check')) throw new Error('package-lock.json has engines that npm ci would warn of; run: npm run lock')
writeFileSync(path, written)

/** The engines of an installed package, which were removed from the lock before. */
function installedEngines(folder: string): string | undefined {
  try {
    return (readManifest(join(root, folder))['engines'] as Record<string, string> | undefined)?.['node']
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined // for another platform
    throw error
  }
}
