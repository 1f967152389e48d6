import type { Metafile } from 'esbuild'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dashboardFolder } from '../dashboard.ts'
import { readManifest } from '../manifest.ts'
import { npm } from '../npm.ts'
import { root } from '../paths.ts'

/** A list of packages in the format CycloneDX, by its members that are used here. */
interface Bom {
  metadata: { component: Record<string, unknown> }
  components: { 'bom-ref': string, scope: string, properties: object[] }[]
  dependencies: { ref: string, dependsOn: string[] }[]
}

/** The parts of an executable that have licences of their own: packages, Node, and the dashboard with the packages in it. */
export class Parts {
  /** Folders of packages. */
  readonly #folders: string[]
  readonly #dashboard = readFileSync(join(dashboardFolder, 'licences.md'), 'utf8')

  /** @param inputs the files of the bundle @param nodeFolder the package of Node */
  constructor(inputs: Metafile['inputs'], nodeFolder: string) {
    const bundled = Object.keys(inputs).map((path) => /^(lazy:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[2])
    const ofBundle = ['node_modules/caniemail', ...bundled.filter((path) => path !== undefined)] // of caniemail it has data
    this.#folders = [...[...new Set(ofBundle)].sort().map((path) => join(root, path)), nodeFolder]
  }

  /** The texts of all licences. */
  licences(): string {
    return [...this.#folders.map((folder) => {
      const { name, version, license } = readManifest(folder)
      const files = globSync('{LICEN[CS]E,licen[cs]e,COPYING,NOTICE}*', { cwd: folder }).sort()
      return `${name} ${version}: ${JSON.stringify(license)}\n\n${files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n')}\n`
    }), this.#dashboard].join(`\n${'-'.repeat(80)}\n\n`)
  }

  /** The list of packages (SBOM): what npm says of those in package-lock.json that are in the executable. */
  bom(): string {
    const ofDashboard = [...this.#dashboard.matchAll(/^## (\S+) - (\S+) \(/gm)].map(([, name, version]) => `${name}@${version}`)
    const { name: own, version: ownVersion } = readManifest(root)
    const ref = `${own}@${ownVersion}`
    const refs = new Set([ref, ...ofDashboard, ...this.#folders.map((folder) => readManifest(folder)).map(({ name, version }) => `${name}@${version}`)])
    const all = JSON.parse(npm(['sbom', '--package-lock-only', '--include=dev', '--sbom-format=cyclonedx'], root)) as Bom
    const components = all.components.filter((each) => refs.has(each['bom-ref']))
    const listed = new Set([ref, ...components.map((each) => each['bom-ref'])])
    const missing = [...refs].filter((each) => !listed.has(each))
    if (missing.length > 0) throw new Error(`package-lock.json has no ${missing.join(', ')}, which the executable has: run npm ci`)
    return `${JSON.stringify({
      ...all,
      metadata: { ...all.metadata, component: { ...all.metadata.component, name: own } },
      // each is in the executable, whether it is a development dependency of the checkout or an optional one
      components: components.map((each) => ({ ...each, scope: 'required', properties: [] })),
      dependencies: all.dependencies.filter((each) => refs.has(each.ref))
        .map((each) => ({ ...each, dependsOn: each.dependsOn.filter((name) => refs.has(name)) })),
    }, null, 2)}\n`
  }
}
