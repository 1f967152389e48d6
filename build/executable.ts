import { build, stop } from 'esbuild'
import type { Plugin } from 'esbuild'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { serverFlags } from '../cli/server-memory.js'
import { Parts } from './executable/parts.ts'
import { nodePackageOf } from './executable/target.ts'
import type { Target } from './executable/target.ts'
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
 * application (docs/decisions/0023). Beside it, files with the licences and the list (SBOM) of all that is in it.
 */
export async function buildExecutable(target: Target) {
  const { file, system, isOwn } = target
  const isMac = system.startsWith('darwin')
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-executable-'))
  try {
    const { folder: nodeFolder, node } = nodePackageOf(target, folder)
    const threads = globSync('server/intake/*-thread.ts', { cwd: root })
    const library = join(root, `node_modules/better-sqlite3/prebuilds/${system}.node`)
    // each thread in a bundle of its own: esbuild shares code between bundles only in ES modules, and the program has to be CommonJS
    const { metafile } = await bundle(folder, ['cli/main.ts', ...threads], readFileSync(library))
    await stop() // ends the process of esbuild
    const blob = join(folder, 'program.blob')
    writeFileSync(join(folder, 'sea.json'), JSON.stringify({
      main: join(folder, 'main.js'),
      output: blob,
      disableExperimentalSEAWarning: true,
      useCodeCache: isOwn, // it is for the processor that makes it
      execArgv: [...serverFlags, '--no-deprecation'], // Node does not warn of code in node_modules, but does of bundled code
      assets: Object.fromEntries([
        ...[...files, ...dashboardFiles()].map((file) => [basename(file), join(root, file)]),
        ...threads.map((file) => `${basename(file, '.ts')}.js`).map((name) => [name, join(folder, name)]),
        ['better_sqlite3.node', library],
      ]),
    }))
    run(...serverFlags, '--experimental-sea-config', join(folder, 'sea.json')) // V8 accepts a code cache only with the flags that made it
    mkdirSync(dirname(file), { recursive: true })
    copyFileSync(node, file)
    chmodSync(file, 0o755)
    if (isMac) execFileSync('codesign', ['--remove-signature', file])
    const segment = isMac ? ['--macho-segment-name', 'NODE_SEA'] : []
    run(join(root, 'node_modules/postject/dist/cli.js'), file, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse, ...segment)
    if (isMac) execFileSync('codesign', ['--sign', '-', file])
    const parts = new Parts(metafile.inputs, nodeFolder)
    writeFileSync(`${file}.licences.txt`, parts.licences())
    writeFileSync(`${file}.cdx.json`, parts.bom())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs Node. @throws Error with the text of its stderr, when it fails */
const run = (...args: string[]) => execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })

const bundle = (folder: string, entryPoints: string[], library: Buffer) => build({
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
  legalComments: 'none', // `Parts` has all of them
  metafile: true,
  define: {
    'import.meta.url': '"file:///mayfly/"', // readProgramFile takes only the name
    SQLITE_FILE: JSON.stringify(`better_sqlite3-${createHash('sha256').update(library).digest('hex').slice(0, 16)}.node`),
  },
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
