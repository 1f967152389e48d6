import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { minNodeVersion } from '../cli/installed-node.js'

export interface Manifest {
  name: string
  version: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  exports?: Record<string, unknown>
  repository?: { type: string, url: string }
  [member: string]: unknown
}

export const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

export const writeManifest = (folder: string, manifest: Manifest) =>
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)

/** What a package of the checkout exports: the path, and the name of the source, `playwright` for `./playwright.ts`. */
export const entriesOf = (manifest: Manifest) =>
  Object.entries(manifest.exports as Record<string, { default: string }>)
    .map(([path, { default: file }]) => ({ path, file, name: file.replace(/^\.\/|\.ts$/g, '') }))

/** The SDK's package.json as it is published: that of the checkout, with what is built in place of the sources. */
export function sdkManifest(manifest: Manifest): Manifest {
  return {
    ...published(manifest, 'sdk'),
    main: './index.cjs',
    types: './index.d.cts',
    exports: {
      ...Object.fromEntries(entriesOf(manifest).map(({ path, name }) => [path, bothForms(name)])),
      './openapi.yaml': './openapi.yaml',
      './package.json': './package.json',
    },
    files: ['*.mjs', '*.cjs', '*.d.mts', '*.d.cts', 'openapi.yaml'],
  }
}

/**
 * What the mock is made of: installed with the server where it can be. In the checkout it is a development dependency, since npm leaves
 * an optional one out when the Node that npm runs on is older than its engines say, and the checkout brings a newer one.
 */
const mock = ['@stoplight/prism-core', '@stoplight/prism-http']

/** The server's: that of the checkout, without what only the checkout has. It runs on the Node of its user. */
export function serverManifest(manifest: Manifest, sdk: Manifest): Manifest {
  if (manifest.version !== sdk.version || manifest.dependencies?.[sdk.name] !== sdk.version) {
    throw new Error(`${manifest.name} and ${sdk.name} have one version, and the first depends on that one of the other: see package.json`)
  }
  return {
    ...published(manifest),
    engines: { node: `>=${minNodeVersion}` },
    optionalDependencies: Object.fromEntries(mock.map((name) => [name, manifest.devDependencies![name]!])),
    exports: { './openapi.yaml': './openapi/openapi.yaml', './package.json': './package.json' },
    files: ['cli', 'server', 'openapi', 'CHANGELOG.md'],
  }
}

const bothForms = (name: string) => ({
  import: { types: `./${name}.d.mts`, default: `./${name}.mjs` },
  require: { types: `./${name}.d.cts`, default: `./${name}.cjs` },
})

const ofTheCheckout = new Set(['private', 'workspaces', 'scripts', 'devDependencies', 'optionalDependencies'])

function published(manifest: Manifest, directory?: string): Manifest {
  const rest = Object.fromEntries(Object.entries(manifest).filter(([member]) => !ofTheCheckout.has(member))) as Manifest
  const repository = repositoryOf(manifest)
  return { ...rest, ...(repository && { repository: { ...repository, ...(directory && { directory }) } }) }
}

/** Where package.json names none, that of the workflow which publishes: npm compares the two before it attests the provenance. */
function repositoryOf(manifest: Manifest): Manifest['repository'] {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env
  return manifest.repository ?? (server && name ? { type: 'git', url: `git+${server}/${name}.git` } : undefined)
}
