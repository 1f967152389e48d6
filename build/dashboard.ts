import { createHash } from 'node:crypto'
import { globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Rolldown } from 'vite'
import { root } from './paths.ts'

/** The folder of the built dashboard, in the checkout. */
export const dashboardFolder = join(root, 'dashboard/dist')

/** The built files in one, which git keeps, so that the server needs neither Vite nor the libraries of the pages. */
const keptPath = join(root, 'dashboard/built.gen.json')

interface Kept {
  /** The hash of the sources that the files are built of. */
  sources: string
  /** Versions of the packages that build the files, or that they contain. */
  packages: Record<string, string>
  /** Texts by path, such as `index.html` and `assets/shell-….js`. */
  files: Record<string, string>
}

/** Packages that build: another version can build other files. */
const tools = ['vite', '@vitejs/plugin-react']

/** Changes of these files make a new build necessary. */
const sources = ['dashboard/index.html', 'dashboard/vite.config.ts', 'dashboard/src/**/*.*', 'sdk/**/*.ts']

/**
 * Brings the built dashboard up to date.
 * @param options.always builds even if the sources have not changed
 * @returns whether it had to
 */
export async function buildDashboard({ always = false } = {}): Promise<boolean> {
  const hash = hashSources()
  const text = readIfThere(keptPath)
  const kept = text === '' ? undefined : JSON.parse(text) as Kept
  const isFresh = !always && kept?.sources === hash && haveLockedVersions(kept.packages)
  const current = isFresh ? text : await build(hash)
  if (current !== text) replaceFile(keptPath, current)
  const keptHash = createHash('sha256').update(current).digest('base64url')
  if (readIfThere(join(dashboardFolder, 'dashboard.json')).includes(keptHash)) return current !== text
  await unpack(JSON.parse(current) as Kept, keptHash)
  return true
}

function hashSources(): string {
  const hash = createHash('sha256')
  for (const path of globSync(sources, { cwd: root }).map((each) => each.replaceAll('\\', '/')).sort()) {
    hash.update(`${path}\0${readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')}\0`)
  }
  return hash.digest('base64url')
}

/** Whether package-lock.json has these versions. */
function haveLockedVersions(packages: Kept['packages']): boolean {
  const locked = (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, { version: string }> }).packages
  return Object.entries(packages).every(([path, version]) => locked[path]?.version === version)
}

/** Builds with Vite. @returns a `Kept` @throws Error where the packages for development are not installed */
async function build(hash: string): Promise<string> {
  const vite = await import('vite').catch((error: Error & { code?: string }) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    rmSync(dashboardFolder, { recursive: true, force: true }) // rather none than pages that do not fit their sources
    throw new Error('Its sources have changed: run npm run build -- dashboard, then start again.')
  })
  const modules = new Set<string>()
  const { NODE_ENV: before } = process.env
  const result = await vite.build({
    root: join(root, 'dashboard'), configFile: join(root, 'dashboard/vite.config.ts'), logLevel: 'error', build: { write: false },
    plugins: [{
      name: 'list-modules',
      generateBundle() {
        for (const id of this.getModuleIds()) modules.add(id)
      },
    }],
  }) as Rolldown.RolldownOutput
  if (before === undefined) delete process.env['NODE_ENV'] // which Vite sets for the whole process
  const output = result.output.toSorted((a, b) => a.fileName < b.fileName ? -1 : 1)
  const files = Object.fromEntries(output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : String(file.source)]))
  files['licences.md'] += `\n---\n\n${readFileSync(join(root, 'dashboard/src/ui/icons.licence.md'), 'utf8')}`
  const kept: Kept = { sources: hash, packages: versionsOf(modules), files }
  return `${JSON.stringify(kept, null, 1)}\n`
}

function versionsOf(modules: Set<string>): Kept['packages'] {
  const folders = [...modules].flatMap((id) => /\/(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/'))?.[1] ?? [])
  return Object.fromEntries([...new Set([...folders, ...tools.map((name) => `node_modules/${name}`)])].sort().map((folder) =>
    [folder, (JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { version: string }).version]))
}

/** Writes the files, and compresses those that browsers load. @param keptHash by which the next build knows them */
async function unpack({ files }: Kept, keptHash: string): Promise<void> {
  const assets = Object.keys(files).filter((path) => path.startsWith('assets/'))
  const compressed = await Promise.all(assets.map(async (path): Promise<[string, Buffer]> => {
    const text = Buffer.from(files[path]!)
    // 11, the highest, takes twice the time for 2 % less
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
    return [`${path}.br`, await promisify(brotliCompress)(text, { params })]
  }))
  const summary = { index: files['index.html'], assets: assets.map((path) => path.slice('assets/'.length)), of: keptHash }
  // without a wait from here on, so that a signal leaves no part of it behind
  const folder = mkdtempSync(`${dashboardFolder}-`) // a server that runs meanwhile has the files of before
  try {
    mkdirSync(join(folder, 'assets'))
    for (const [path, content] of [...Object.entries(files), ...compressed]) writeFileSync(join(folder, path), content)
    writeFileSync(join(folder, 'dashboard.json'), JSON.stringify(summary))
    rmSync(dashboardFolder, { recursive: true, force: true })
    renameSync(folder, dashboardFolder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** So that another build never reads a part of it. */
function replaceFile(path: string, text: string): void {
  const written = `${dashboardFolder}-${process.pid}`
  writeFileSync(written, text)
  renameSync(written, path)
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/**
 * `node build/dashboard.ts`: prints the folder when it had to be brought up to date. `--check` fails when the repository has other files
 * than Vite builds.
 */
if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1)) // between two steps of the event loop
  await run(process.argv.includes('--check')).catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}

async function run(isCheck: boolean): Promise<void> {
  const before = readIfThere(keptPath)
  const isChanged = await buildDashboard({ always: isCheck })
  if (!isCheck && isChanged) console.log(dashboardFolder)
  if (isCheck && readIfThere(keptPath) !== before) {
    throw new Error('dashboard/built.gen.json did not match the sources of the dashboard. It is written anew; commit it.')
  }
}
