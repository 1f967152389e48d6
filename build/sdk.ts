import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'tsdown'
import { entriesOf, readManifest, sdkManifest, writeManifest } from './manifest.ts'
import { root, sdkSource } from './paths.ts'
import { copyReadme } from './readme.ts'

/** Builds the SDK for `import` and for `require`, each with its own types, and copies the document beside it. */
export async function buildSdk(folder: string) {
  const manifest = readManifest(sdkSource)
  const published = sdkManifest(manifest)
  await build({
    config: false,
    cwd: sdkSource,
    entry: Object.fromEntries(entriesOf(manifest).map(({ name, file }) => [name, file])),
    outDir: folder,
    format: ['esm', 'cjs'],
    platform: 'neutral',
    target: 'node20',
    fixedExtension: true,
    hash: false,
    tsconfig: join(root, 'tsconfig.json'),
    dts: true,
    banner: { dts: '/// <reference lib="esnext.disposable" />' }, // for Symbol.asyncDispose of Inbox, which a project's `lib` may lack
    deps: { neverBundle: Object.keys(published.peerDependencies ?? {}) },
    outputOptions: {
      exports: 'named', // index has named exports beside its default
      // one file of all that the client loads at once: of many files, bundlers would make many
      codeSplitting: { groups: [{ name: 'mayfly', test: /[\\/]sdk[\\/]mayfly\.ts$/ }] },
      comments: { jsdoc: false }, // the types have them
    },
    logLevel: 'warn',
    checks: { pluginTimings: false },
  })
  copyFileSync(join(root, 'openapi/openapi.yaml'), join(folder, 'openapi.yaml'))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  copyReadme(sdkSource, folder)
  writeManifest(folder, published)
}
