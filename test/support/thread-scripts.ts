import { build } from 'esbuild'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const checkout = fileURLToPath(new URL('../..', import.meta.url))

let bundled: Promise<URL> | undefined

/**
 * Folder of the thread scripts, each bundled with its imports into one file: a thread starts in a third of the time, and the
 * tests start more than a thousand.
 */
export const threadScripts = (): Promise<URL> => bundled ??= bundle()

async function bundle(): Promise<URL> {
  // within the checkout, where better-sqlite3 is found
  const folder = mkdtempSync(`${checkout}node_modules/.mayfly-threads-`)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(`${folder}/package.json`, '{"type":"module"}')
  await build({
    absWorkingDir: checkout,
    entryPoints: ['short', 'long', 'authentication', 'index', 'storage'].map((name) => `server/intake/${name}-thread.ts`),
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    external: ['better-sqlite3'],
    minifyWhitespace: true,
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    logLevel: 'error',
  })
  return pathToFileURL(`${folder}/`)
}
