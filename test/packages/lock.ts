import { readFileSync } from 'node:fs'

export interface Packed {
  tarball: string
  integrity: string
  /** Its files, without those of every package. */
  files: string[]
  manifest: { name: string, version: string, [member: string]: unknown }
}

interface Locked {
  version?: string
  resolved?: string
  link?: boolean
  dev?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

const lock = new URL('../../package-lock.json', import.meta.url)
const manifest = new URL('../../package.json', import.meta.url)

type Overrides = Record<string, string | Record<string, string>>

/** The overrides of the checkout, which its versions follow, for another project: `$NAME` stands for the version that the checkout has. */
export function overrides(): Overrides {
  const { overrides: own, dependencies, devDependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    overrides: Overrides, dependencies: Record<string, string>, devDependencies: Record<string, string>,
  }
  const version = (value: string) => value.startsWith('$') ? { ...devDependencies, ...dependencies }[value.slice(1)]! : value
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [
    name, typeof value === 'string' ? version(value) : Object.fromEntries(Object.entries(value).map(([of, each]) => [of, version(each)])),
  ]))
}

/** The entries of a package-lock.json for these packages and all their dependencies, with the versions of the checkout. */
export function lockedPackages(packages: Packed[]): Record<string, object> {
  const checkout = (JSON.parse(readFileSync(lock, 'utf8')) as { packages: Record<string, Locked> }).packages
  const reached = new Map<string, object>()
  for (const { manifest, tarball, integrity } of packages) {
    reached.set(`node_modules/${manifest.name}`, { ...manifest, resolved: `file:${tarball}`, integrity })
    follow('', manifest)
  }
  return Object.fromEntries(reached)

  function follow(from: string, { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }: Locked) {
    const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional)
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const path = find(from, name)
      if (path === undefined || reached.has(path) || checkout[path]!.link) continue
      const locked = checkout[path]!
      reached.set(path, { ...locked, dev: false, resolved: locked.resolved ?? tarballOf(name, locked.version) })
      follow(path, locked)
    }
  }

  /** The path at which Node finds it: below the package, or else below each parent folder. */
  function find(from: string, name: string): string | undefined {
    const path = `${from}${from && '/'}node_modules/${name}`
    if (checkout[path]) return path
    return from === '' ? undefined : find(from.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ''), name)
  }
}

/** The URL in the registry. Without it npm would request it; with it, npm finds the tarball in its cache by the integrity. */
const tarballOf = (name: string, version = '') =>
  `https://registry.npmjs.org/${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`
