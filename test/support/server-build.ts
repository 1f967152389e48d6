import { build, stop } from 'esbuild'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const checkout = fileURLToPath(new URL('../..', import.meta.url))

/** Files of JavaScript, each with all that it imports: they start in a third of the time of the sources. */
export interface ServerBuild {
  /** Folder of the thread scripts, for `openApp`. */
  threadScripts: URL
  /** Files that run as processes of their own. */
  programs: { [name in Program]: string }
}

type Program = 'serve' | 'killed-worker'

let built: Promise<ServerBuild> | undefined

/** The server's code, built once for all processes of a run (`test/main.ts`), or else for this process. */
export function serverBuild(): Promise<ServerBuild> {
  const folder = process.env['TEST_SERVER_BUILD']
  return built ??= folder ? Promise.resolve(filesIn(folder)) : buildServer()
}

const buildServer = async (): Promise<ServerBuild> => filesIn(await buildFolder())

/** @returns a new folder with the files, for TEST_SERVER_BUILD; it is removed when this process exits */
export async function buildFolder(): Promise<string> {
  // within the checkout, where better-sqlite3 is found
  const folder = mkdtempSync(`${checkout}node_modules/.mayfly-server-`)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(`${folder}/package.json`, '{"type":"module"}')
  copyFileSync(`${checkout}server/contract/document.gen.json`, `${folder}/document.gen.json`)
  await build({
    absWorkingDir: checkout,
    entryPoints: [
      ...['short', 'long', 'authentication', 'index', 'storage'].map((name) => `server/intake/${name}-thread.ts`),
      'test/support/serve.ts',
      'test/support/killed-worker.ts',
    ],
    entryNames: '[name]',
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    external: ['better-sqlite3'],
    minifyWhitespace: true,
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    logLevel: 'error',
    plugins: [{
      name: 'without-bimi', // the server disables it, and it is a third of what the thread that authenticates mail loads
      setup: ({ onLoad }) => onLoad({ filter: /mailauth\/lib\/bimi\/.*\.js$/ }, () => ({ contents: '', loader: 'js' })),
    }],
  })
  await stop() // ends the process of esbuild
  return folder
}

const filesIn = (folder: string): ServerBuild => ({
  threadScripts: pathToFileURL(`${folder}/`),
  programs: { 'serve': `${folder}/serve.js`, 'killed-worker': `${folder}/killed-worker.js` },
})
