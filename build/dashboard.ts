import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { pathToFileURL } from 'node:url'
import { root } from './paths.ts'

/** The folder of the built dashboard, in the checkout. */
export const dashboardFolder = join(root, 'dashboard/dist')

/** Lists the files, and holds the page; its time tells when the dashboard was built. */
const summary = 'dashboard.json'

/** Changes of these files make a new build necessary. */
const sources = ['dashboard/index.html', 'dashboard/vite.config.ts', 'dashboard/src/**/*.*', 'sdk/**/*.ts', 'package-lock.json']

/** Builds the dashboard unless it is up to date. @returns whether it has built */
export async function buildDashboard(): Promise<boolean> {
  if (!isStale()) return false
  const folder = mkdtempSync(`${dashboardFolder}-`) // a server that runs meanwhile has the files of before
  try {
    await buildInto(folder)
    rmSync(dashboardFolder, { recursive: true, force: true })
    renameSync(folder, dashboardFolder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return true
}

/** Builds with Vite, and compresses the files for browsers. */
async function buildInto(folder: string): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  execFileSync(process.execPath, [vite, 'build', join(root, 'dashboard'), '--outDir', folder, '--logLevel', 'error'], { stdio: ['ignore', 2, 2] })
  const assets = readdirSync(join(folder, 'assets'))
  await Promise.all(assets.map(async (name) => {
    const text = readFileSync(join(folder, 'assets', name))
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
    writeFileSync(join(folder, 'assets', `${name}.br`), await promisify(brotliCompress)(text, { params }))
  }))
  writeFileSync(join(folder, summary), JSON.stringify({ index: readFileSync(join(folder, 'index.html'), 'utf8'), assets }))
}

/** Whether a source is newer than the built dashboard, or there is none. */
function isStale(): boolean {
  const builtAt = statSync(join(dashboardFolder, summary), { throwIfNoEntry: false })?.mtimeMs
  return builtAt === undefined || globSync(sources, { cwd: root }).some((path) => statSync(join(root, path)).mtimeMs > builtAt)
}

/** `node build/dashboard.ts`: prints the folder when it has built. */
if (import.meta.url === pathToFileURL(process.argv[1]!).href && await buildDashboard()) console.log(dashboardFolder)
