import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'tsdown'
import { entriesOf, readManifest, sdkManifest, writeManifest } from './manifest.ts'
import { root, sdkSource } from './paths.ts'
import { copyReadme } from './readme.ts'

/** The SDK for `import` and for `require`, each with types of its own, and the document it is made from. */
export async function buildSdk(folder: string) {
  const manifest = readManifest(sdkSource)
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
    banner: { dts: '/// <reference lib="esnext.disposable" />' }, // an inbox can be disposed of, and a project may lack that
    deps: { neverBundle: Object.keys(manifest.peerDependencies ?? {}) },
    logLevel: 'warn',
    checks: { pluginTimings: false },
  })
  copyFileSync(join(root, 'openapi/openapi.yaml'), join(folder, 'openapi.yaml'))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  copyReadme(sdkSource, folder)
  writeManifest(folder, sdkManifest(manifest))
}
