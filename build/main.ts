import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { buildDashboard, dashboardFolder } from './dashboard.ts'
import { buildExecutable } from './executable.ts'
import { executable, pythonFolder, sdkFolder, serverFolder } from './paths.ts'
import { buildPython } from './python.ts'
import { buildSdk } from './sdk.ts'
import { buildServer } from './server.ts'

/**
 * `npm run build [-- dashboard | -- sdk | -- packages | -- executable]`: the dashboard, which all but the SDK contain; the two packages for
 * npm, `dist/sdk`, then `dist/mayfly-mail`, which is compiled against the SDK's types; the Python package, `dist/python`; and on Linux the
 * executable, such as `dist/mayfly-linux-x64`.
 */
const [wanted = 'all'] = process.argv.slice(2)
if (wanted !== 'sdk') {
  await buildDashboard()
  console.log(dashboardFolder)
}
if (wanted === 'all' || wanted === 'packages' || wanted === 'sdk') await buildPackage(sdkFolder, buildSdk)
if (wanted === 'all' || wanted === 'packages') {
  await buildPackage(serverFolder, buildServer)
  rmSync(pythonFolder, { recursive: true, force: true })
  console.log(buildPython(pythonFolder))
}
// on other systems a library has to be a file with a name, and the executable to be signed
if ((wanted === 'all' || wanted === 'executable') && process.platform === 'linux') {
  mkdirSync(dirname(executable), { recursive: true })
  await buildExecutable(executable)
  console.log(executable)
}

async function buildPackage(folder: string, build: (folder: string) => unknown) {
  rmSync(folder, { recursive: true, force: true })
  await build(folder)
  console.log(folder)
}
