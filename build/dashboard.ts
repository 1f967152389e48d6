import { execFileSync } from 'node:child_process'
import { globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { pathToFileURL } from 'node:url'
import { root } from './paths.ts'

/** The folder of the built dashboard, in the checkout. */
export const dashboardFolder = join(root, 'dashboard/dist')

/** Lists the files, and holds the page; written last, so that it tells when the dashboard was built. */
const summary = join(dashboardFolder, 'dashboard.json')

/** Changes of these files make a new build necessary. */
const sources = ['dashboard/index.html', 'dashboard/vite.config.ts', 'dashboard/src/**/*.*', 'sdk/**/*.ts', 'package-lock.json']

/** Builds the dashboard with Vite, and compresses its files for browsers. */
export async function buildDashboard(): Promise<void> {
  execFileSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', join(root, 'dashboard'), '--logLevel', 'error'], {
    stdio: ['ignore', 2, 2],
  })
  const folder = join(dashboardFolder, 'assets')
  const assets = readdirSync(folder)
  await Promise.all(assets.map(async (name) => {
    const text = readFileSync(join(folder, name))
    writeFileSync(join(folder, `${name}.br`), await promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } }))
  }))
  writeFileSync(summary, JSON.stringify({ index: readFileSync(join(dashboardFolder, 'index.html'), 'utf8'), assets }))
}

/** Whether a source is newer than the built dashboard, or there is none. */
function isDashboardStale(): boolean {
  const builtAt = statSync(summary, { throwIfNoEntry: false })?.mtimeMs
  return builtAt === undefined || globSync(sources, { cwd: root }).some((path) => statSync(join(root, path)).mtimeMs > builtAt)
}

/** `node build/dashboard.ts [--if-stale]`: prints the folder when it has built. */
if (import.meta.url === pathToFileURL(process.argv[1]!).href && !(process.argv.includes('--if-stale') && !isDashboardStale())) {
  await buildDashboard()
  console.log(dashboardFolder)
}
