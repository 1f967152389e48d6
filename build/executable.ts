import { build, stop } from 'esbuild'
import type { Metafile, Plugin } from 'esbuild'
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { serverFlags } from '../cli/server-memory.js'
import { dashboardFolder } from './dashboard.ts'
import { readManifest } from './manifest.ts'
import { root } from './paths.ts'

/** Packages that openapi-backend loads at once, and needs only for documents in files, the validation of documents, and examples. */
const lazyPackages = ['@apidevtools/json-schema-ref-parser', 'openapi-schema-validator', 'mock-json-schema', 'qs']

/** Modules of Node that take milliseconds to load and that many commands do not use: each is loaded at the first use of a member. */
const lazyModules = [
  'child_process', 'crypto', 'fs/promises', 'http', 'https', 'net', 'stream/consumers', 'stream/promises', 'tls', 'worker_threads', 'zlib',
].map((name) => `node:${name}`)

/** Modules that take the place of others. */
const replaced = {
  'better-sqlite3': 'build/executable/sqlite.cjs',
  'better-sqlite3/lib/database': 'node_modules/better-sqlite3/lib/database.js',
  'better-sqlite3/lib/sqlite-error': 'node_modules/better-sqlite3/lib/sqlite-error.js',
}

/** Files that the code reads by `readProgramFile`, besides the scripts of threads. */
const files = [
  'server/contract/document.gen.json', 'server/contract/document.classic.gen.json', 'server/contract/samples.gen.json', 'package.json',
  'server/http/pages/reference.js', 'server/http/pages/reference.css',
]

/** The files of the dashboard that the server reads: each has a hash in its name. */
const dashboardFiles = () => globSync(['dashboard/dist/dashboard.json', 'dashboard/dist/assets/*'], { cwd: root })

/** Node looks for this text, to find out whether it has a program in it. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/**
 * Builds one file that is the server and the command: Node, with the bundled code, its threads and its files as a single executable
 * application (docs/decisions/0023). Beside it, a file with the licences of all that is in it.
 * @param path the file to write
 */
export async function buildExecutable(path: string) {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-executable-'))
  try {
    const threads = globSync('server/intake/*-thread.ts', { cwd: root })
    // each thread in a bundle of its own: esbuild shares code between bundles only in ES modules, and the program has to be CommonJS
    const { metafile } = await bundle(folder, ['cli/main.ts', ...threads])
    await stop() // ends the process of esbuild
    const blob = join(folder, 'program.blob')
    writeFileSync(join(folder, 'sea.json'), JSON.stringify({
      main: join(folder, 'main.js'),
      output: blob,
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      execArgv: [...serverFlags, '--no-deprecation'], // Node does not warn of code in node_modules, but does of bundled code
      assets: Object.fromEntries([
        ...[...files, ...dashboardFiles()].map((file) => [basename(file), join(root, file)]),
        ...threads.map((file) => `${basename(file, '.ts')}.js`).map((name) => [name, join(folder, name)]),
        ['better_sqlite3.node', join(root, `node_modules/better-sqlite3/prebuilds/${process.platform}-${process.arch}.node`)],
      ]),
    }))
    run(...serverFlags, '--experimental-sea-config', join(folder, 'sea.json')) // V8 accepts a code cache only with the flags that made it
    copyFileSync(process.execPath, path)
    chmodSync(path, 0o755)
    run(join(root, 'node_modules/postject/dist/cli.js'), path, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse)
    writeFileSync(`${path}.licences.txt`, licencesOf(metafile.inputs))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs Node. @throws Error with the text of its stderr, when it fails */
const run = (...args: string[]) => execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })

const bundle = (folder: string, entryPoints: string[]) => build({
  absWorkingDir: root,
  entryPoints,
  outdir: folder,
  entryNames: '[name]',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node24',
  minify: true,
  keepNames: true, // the names of errors are part of their texts
  legalComments: 'none', // `licencesOf` has all of them
  metafile: true,
  define: { 'import.meta.url': '"file:///mayfly/"' }, // readProgramFile takes only the name
  logOverride: { 'empty-import-meta': 'silent' },
  logLevel: 'warning',
  plugins: [modules],
})

const modules: Plugin = {
  name: 'modules',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: new RegExp(`^(${Object.keys(replaced).join('|')})/?$`) }, ({ path }) =>
      ({ path: join(root, replaced[path.replace(/\/$/, '') as keyof typeof replaced]) }))
    onResolve({ filter: new RegExp(`^(${lazyPackages.join('|')})$`) }, ({ path, importer, namespace, resolveDir }) =>
      namespace === 'file' && importer.includes('/openapi-backend/') ? { path, namespace: 'lazy', pluginData: resolveDir } : undefined)
    onLoad({ filter: /.*/, namespace: 'lazy' }, ({ path, pluginData }) => ({
      contents: `module.exports = new Proxy({}, { get: (_, member) => require(${JSON.stringify(path)})[member] })`,
      resolveDir: pluginData as string,
    }))
    onResolve({ filter: new RegExp(`^(${lazyModules.join('|')})$`) }, ({ path, namespace }) =>
      namespace === 'lazy-node' ? { path, external: true } : { path, namespace: 'lazy-node' })
    onLoad({ filter: /.*/, namespace: 'lazy-node' }, ({ path }) => ({ contents: lazyModule(path) }))
    // the server disables it, and it is a third of the code that authenticates mail
    onLoad({ filter: /mailauth\/lib\/bimi\/.*\.js$/ }, () => ({ contents: '' }))
  },
}

/**
 * Returns the text of a module that loads another at the first use of a member. The members are inherited, since esbuild gives an `import`
 * an object with the same prototype.
 */
const lazyModule = (path: string) => `let loaded
module.exports = Object.create(new Proxy({}, {
  get: (_, member) => member === '__esModule' ? undefined : (loaded ??= require(${JSON.stringify(path)}))[member],
  has: (_, member) => member in (loaded ??= require(${JSON.stringify(path)})),
}))`

/** The licences of the packages of which the bundle has code, of Node, and of data in it. */
function licencesOf(inputs: Metafile['inputs']): string {
  const paths = Object.keys(inputs).map((path) => /^(lazy:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[2])
  const bundled = ['caniemail', `node-${process.platform}-${process.arch}`].map((name) => `node_modules/${name}`)
  const folders = [...new Set([...bundled, ...paths.filter((path) => path !== undefined)])].sort()
  const dashboard = readFileSync(join(dashboardFolder, 'licences.md'), 'utf8')
  return [...folders.map((folder) => {
    const { name, version, license } = readManifest(join(root, folder))
    const files = globSync('{LICEN[CS]E,licen[cs]e,COPYING,NOTICE}*', { cwd: join(root, folder) }).sort()
    return `${name} ${version}: ${JSON.stringify(license)}\n\n${files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim()).join('\n\n')}\n`
  }), dashboard].join(`\n${'-'.repeat(80)}\n\n`)
}
