import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { minNodeVersion } from '../cli/installed-node.js'
import { root } from './paths.ts'

export interface Manifest {
  name: string
  version: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  exports?: Record<string, unknown>
  repository?: { type: string, url: string }
  /** Members that the published package has, and the checkout cannot: npm would install peers for development, and start npx slowly. */
  publishConfig?: Record<string, unknown>
  [member: string]: unknown
}

export const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

export const writeManifest = (folder: string, manifest: Manifest) =>
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)

/** The exports of a package of the checkout: each with its path, and the name of its source, `playwright` for `./playwright.ts`. */
export const entriesOf = (manifest: Manifest) =>
  Object.entries(manifest.exports as Record<string, { default: string }>)
    .map(([path, { default: file }]) => ({ path, file, name: file.replace(/^\.\/|\.ts$/g, '') }))

/** The SDK's package.json as it is published: that of the checkout, with the built files in place of the sources. */
export function sdkManifest(manifest: Manifest): Manifest {
  return {
    ...published(manifest, 'sdk'),
    main: './index.cjs',
    types: './index.d.cts',
    exports: {
      ...Object.fromEntries(entriesOf(manifest).map(({ path, name }) => [path, exportConditions(name)])),
      './openapi.yaml': './openapi.yaml',
      './package.json': './package.json',
    },
    files: ['*.mjs', '*.cjs', '*.d.mts', '*.d.cts', 'openapi.yaml'],
  }
}

/** The server's package.json as it is published: without the members for the checkout. It runs on the user's Node. */
export function serverManifest(manifest: Manifest, sdk: Manifest): Manifest {
  if (manifest.version !== sdk.version || manifest.dependencies?.[sdk.name] !== sdk.version) {
    throw new Error(`${manifest.name} and ${sdk.name} must have the same version, and the first must depend on it: see package.json`)
  }
  return {
    ...published(manifest),
    engines: { node: `>=${minNodeVersion}` },
    exports: {
      './openapi.yaml': './openapi/openapi.yaml', './openapi.classic.yaml': './openapi/openapi.classic.yaml', './package.json': './package.json',
    },
    files: ['cli', 'server', 'mcp', 'skills', 'dashboard', 'openapi', 'CHANGELOG.md'],
  }
}

const exportConditions = (name: string) => ({
  import: { types: `./${name}.d.mts`, default: `./${name}.mjs` },
  require: { types: `./${name}.d.cts`, default: `./${name}.cjs` },
})

const checkoutMembers = new Set(['private', 'workspaces', 'scripts', 'devDependencies', 'optionalDependencies', 'overrides', 'publishConfig'])

function published(manifest: Manifest, directory?: string): Manifest {
  const members = Object.entries({ ...manifest, ...manifest.publishConfig })
  const rest = Object.fromEntries(members.filter(([member]) => !checkoutMembers.has(member))) as Manifest
  const repository = repositoryOf(manifest)
  return { ...rest, ...(repository && { repository: { ...repository, ...(directory && { directory }) } }) }
}

/** Default: the repository of the workflow that publishes. npm compares the two before it attests the provenance. */
function repositoryOf(manifest: Manifest): Manifest['repository'] {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env
  return manifest.repository ?? (server && name ? { type: 'git', url: `git+${server}/${name}.git` } : undefined)
}

/** Where the sources are, such as `https://github.com/owner/name`; undefined where package.json does not say so, outside of a workflow. */
export const repositoryUrl = (): string | undefined => repositoryOf(readManifest(root))?.url.replace(/^git\+|\.git$/g, '')
