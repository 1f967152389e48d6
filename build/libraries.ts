import { build } from 'esbuild'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from './manifest.ts'
import { root } from './paths.ts'

interface Library {
  /** The exports that the server uses. */
  parts: string
  licence: string
  /** The modules to bundle, in place of the main one. */
  source?: string
}

/**
 * Libraries of many small modules that every start loads, some of them in every thread. Node takes 0.3 ms and 0.1 MB for each module, so
 * each library is bundled as one file (docs/decisions/0033-start.md).
 */
const libraries: Record<string, Library> = {
  'kysely': { parts: 'Kysely, PostgresDialect, SqliteDialect, sql', licence: 'LICENSE' },
  'prom-client': {
    parts: 'Counter, Gauge, Histogram, Registry',
    licence: 'LICENSE',
    // the main module also loads OpenTelemetry, node:cluster and node:https
    source: ['Counter', 'Gauge', 'Histogram', 'Registry']
      .map((name) => `export { default as ${name} } from 'prom-client/lib/${name.toLowerCase()}.js'`).join('\n'),
  },
  'uuid': { parts: 'v7', licence: 'LICENSE.md' },
}

/** CommonJS modules call `require` for modules of Node. */
const defineRequire = "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)"

/** Writes `server/libraries/`: a file of JavaScript for each library, with its licence, and one of its types. */
export async function bundleLibraries(): Promise<void> {
  for (const [name, { parts, licence, source }] of Object.entries(libraries)) {
    const folder = join(root, 'node_modules', name)
    const { version } = readManifest(folder)
    const note = `// This file is made of ${name} ${version} by \`npm run generate\`: see build/libraries.ts`
    const types = `export { ${parts} } from '${name}'\n`
    const { outputFiles } = await build({
      stdin: { contents: source ?? types, resolveDir: root },
      bundle: true,
      write: false,
      platform: 'node',
      format: 'esm',
      target: 'node22',
      minifyWhitespace: true,
      banner: { js: `${note}\n/*\n${readFileSync(join(folder, licence), 'utf8').trim()}\n*/\n${source ? defineRequire : ''}` },
      footer: { js: `//# sourceURL=${name}@${version}` }, // the name in stacks and profiles
    })
    writeFileSync(join(root, `server/libraries/${name}.gen.js`), outputFiles[0]!.text)
    writeFileSync(join(root, `server/libraries/${name}.gen.d.ts`), `${note}\n${types}`)
  }
}
