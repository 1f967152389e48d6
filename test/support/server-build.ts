import { build, stop } from 'esbuild'
import type { BuildOptions } from 'esbuild'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const checkout = fileURLToPath(new URL('../..', import.meta.url))

/** Files of JavaScript, each with all that it imports: they start in a third of the time of the sources. */
export interface ServerBuild {
  /** Folder of the thread scripts, for `openApp`. */
  threadScripts: URL
  /** Files that run as processes of their own. */
  programs: { [name in Program]: string }
  /** Folder for NODE_COMPILE_CACHE of processes that do not get the environment of the test. */
  compileCache: string
}

type Program = 'mayfly' | 'serve' | 'killed-worker'

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
  copyFileSync(`${checkout}package.json`, `${folder}/package.json`)
  mkdirSync(`${folder}/cli`)
  mkdirSync(`${folder}/dashboard/dist`, { recursive: true })
  writeFileSync(`${folder}/dashboard/dist/dashboard.json`, '{}') // for a link to the dashboard; tests with a browser use the sources
  for (const name of ['document.gen.json', 'document.classic.gen.json']) {
    copyFileSync(`${checkout}server/contract/${name}`, `${folder}/cli/${name}`)
  }
  await Promise.all([
    bundle(folder, [
      ...['mail', 'background'].map((name) => `server/intake/${name}-thread.ts`),
      'test/support/serve.ts',
      'test/support/killed-worker.ts',
    ]),
    bundle(folder, ['cli/mayfly.js'], { splitting: true }), // a command loads only what it imports
  ])
  await stop() // ends the process of esbuild
  return folder
}

function bundle(folder: string, entryPoints: string[], options: BuildOptions = {}) {
  return build({
    absWorkingDir: checkout,
    entryPoints,
    entryNames: '[name]',
    outdir: `${folder}/cli`,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    external: ['better-sqlite3', '@stoplight/*'],
    minifyWhitespace: true,
    banner: { js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url)" },
    logLevel: 'error',
    plugins: [{
      name: 'without-bimi', // the server disables it, and it is a third of what the authentication of mail loads
      setup: ({ onLoad }) => onLoad({ filter: /mailauth\/lib\/bimi\/.*\.js$/ }, () => ({ contents: '', loader: 'js' })),
    }],
    ...options,
  })
}

const filesIn = (folder: string): ServerBuild => ({
  threadScripts: pathToFileURL(`${folder}/cli/`),
  programs: { 'mayfly': `${folder}/cli/mayfly.js`, 'serve': `${folder}/cli/serve.js`, 'killed-worker': `${folder}/cli/killed-worker.js` },
  compileCache: `${folder}/compiled`,
})
