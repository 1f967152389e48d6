import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodePackages } from '../../cli/installed-node.js'
import { readManifest } from '../manifest.ts'
import { downloadPackage } from '../npm.ts'
import { root } from '../paths.ts'

/** A system for which an executable is built. */
export interface Target {
  /** Such as `linux-x64`. */
  name: string
  /** Path of the file, without its licences and its list of packages. */
  file: string
  /** As Node names it, such as `win32-x64`. */
  system: keyof typeof nodePackages
  /** Whether it is the system of this machine. */
  isOwn: boolean
}

const systems: Record<string, Target['system']> = {
  'linux-x64': 'linux-x64', 'linux-arm64': 'linux-arm64', 'darwin-arm64': 'darwin-arm64', 'win-x64': 'win32-x64',
}

export const targetNames = Object.keys(systems)

/** This machine as Node names it. */
const ownSystem = `${process.platform}-${process.arch}`

/**
 * @param name one of `targetNames`; this machine by default
 * @throws Error that says why none is built
 */
export function targetOf(name?: string, own = ownSystem): Target {
  const known = Object.entries(systems).find(([each, system]) => name === undefined ? system === own : name === each)
  if (!known) throw new Error(`No executable is built for ${name ?? own}: there are those for ${targetNames.join(', ')}, and the packages for npm run anywhere`)
  const [target, system] = known
  // Apple's processors run no program without a signature
  if (system.startsWith('darwin') && !own.startsWith('darwin')) throw new Error(`No executable is built for ${target} here: it has to be signed by codesign of macOS`)
  const file = join(root, `dist/mayfly-${target}${system.startsWith('win32') ? '.exe' : ''}`)
  return { name: target, file, system, isOwn: system === own }
}

/** The executable for the containers of this machine: Docker runs Linux on every system. */
export const containerTarget = (): Target => targetOf(`linux-${process.arch}`)

/**
 * The folder of the npm package that has the Node of a target. `npm ci` has installed that of this machine, others are downloaded, and are
 * those of package-lock.json.
 * @param folder an empty folder, for a download
 */
export function nodePackageOf({ name, system, isOwn }: Target, folder: string): { folder: string, node: string } {
  const packageName = nodePackages[system]
  const installed = join(root, 'node_modules', packageName)
  const found = existsSync(installed) ? installed : download(packageName, folder)
  const { version } = readManifest(found)
  // the program is prepared by the Node of this process, for one of the same version
  if (process.version !== `v${version}`) throw new Error(`The executable has Node ${version}, and this is ${process.version}: run npm ci && npm run build`)
  if (isOwn && found !== installed) throw new Error(`${packageName} is not installed: run npm ci, with optional dependencies, for the executable ${name}`)
  return { folder: found, node: join(found, 'bin', system.startsWith('win32') ? 'node.exe' : 'node') }
}

function download(name: string, folder: string): string {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, { version: string, integrity: string }> }
  const { version, integrity } = lock.packages[`node_modules/${name}`]!
  return downloadPackage(`${name}@${version}`, integrity, folder)
}
