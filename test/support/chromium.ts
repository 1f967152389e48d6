import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { access, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import type { Browser, LaunchOptions } from 'playwright-core'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.resolve('@sparticuz/chromium')), 'utf8')) as { version: string }

/**
 * Starts a browser. It ends with this process: handlers of signals would keep the process. Root needs `--no-sandbox`; `chromium.args` of
 * the package are not used, since they disable CORS.
 */
export const launchChromium = async (options: LaunchOptions = {}): Promise<Browser> => chromium.launch({
  executablePath: await chromiumPath(), args: ['--no-sandbox'], handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false, ...options,
})

/**
 * The browser of `@sparticuz/chromium`, unpacked once per machine and version. The package does not notice that another process is
 * still unpacking the same file, so each process unpacks into its own folder.
 */
async function chromiumPath(): Promise<string> {
  const folder = join(tmpdir(), `mayfly-chromium-${version}`)
  const path = join(folder, 'chromium')
  if (await access(path).then(() => true, () => false)) return path
  const fresh = await mkdtemp(`${folder}-`)
  try {
    await promisify(execFile)(process.execPath, ['-e', "import('@sparticuz/chromium').then(({ default: { executablePath } }) => executablePath())"], {
      cwd: import.meta.dirname, env: { ...process.env, TMPDIR: fresh },
    })
    // another process was first
    await rename(fresh, folder).catch(() => access(path))
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  return path
}

/** A folder for temporary files in which the package finds the unpacked browser. */
export async function chromiumFolder(parent: string): Promise<string> {
  const folder = join(parent, 'tmp')
  await mkdir(folder)
  await symlink(await chromiumPath(), join(folder, 'chromium'))
  return folder
}
