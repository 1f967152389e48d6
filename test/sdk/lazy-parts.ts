import { build } from 'esbuild'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as Sdk from '@mayfly-mail/sdk'
import type { clock } from '../../sdk/core/clock.ts'

/** The SDK as a bundler writes it: with its own copy of the clock, and with files that load at their first use. */
export interface BundledSdk extends AsyncDisposable {
  Mayfly: typeof Sdk.Mayfly
  NetworkError: typeof Sdk.NetworkError
  TimeoutError: typeof Sdk.TimeoutError
  clock: typeof clock
  /** Lets the files that load at their first use finish loading. */
  release(): void
  /** Deletes those files, so that they cannot be loaded. */
  removeParts(): Promise<void>
}

const sdk = fileURLToPath(new URL('../../sdk', import.meta.url))
let bundles = 0

/** Bundles the SDK and imports it. Its files for waits and for the stream of events load until `release` is called. */
export async function bundleSdk(): Promise<BundledSdk> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-bundle-'))
  const name = `mayflyParts${++bundles}`
  const { promise, resolve } = Promise.withResolvers<void>()
  Object.assign(globalThis, { [name]: promise })
  await build({
    stdin: { contents: "export * from './index.ts'; export { clock } from './core/clock.ts'", resolveDir: sdk, sourcefile: 'sdk' },
    outdir: folder, bundle: true, splitting: true, format: 'esm', outExtension: { '.js': '.mjs' }, target: 'es2022',
    plugins: [{
      name: 'load until released',
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /./ }, ({ kind, path, resolveDir }) => kind === 'dynamic-import' ? { path: join(resolveDir, path), namespace: 'held' } : undefined)
        onLoad({ filter: /./, namespace: 'held' }, ({ path }) => ({ contents: `export * from '${path}'; await globalThis.${name}`, resolveDir: sdk }))
      },
    }],
  })
  const names = await readdir(folder)
  return {
    ...await import(pathToFileURL(join(folder, 'stdin.mjs')).href),
    release: resolve,
    async removeParts() {
      await Promise.all(names.filter((each) => /^(wait-for|subscribe)/.test(each)).map((each) => rm(join(folder, each))))
    },
    async [Symbol.asyncDispose]() {
      Reflect.deleteProperty(globalThis, name)
      await rm(folder, { recursive: true })
    },
  }
}
