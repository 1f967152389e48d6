import { rmSync } from 'node:fs'
import { buildDashboard, dashboardFolder } from './dashboard.ts'
import { buildExecutable } from './executable.ts'
import { containerTarget, targetOf } from './executable/target.ts'
import { pythonFolder, sdkFolder, serverFolder } from './paths.ts'
import { buildPython } from './python.ts'
import { buildSdk } from './sdk.ts'
import { buildServer } from './server.ts'

/**
 * `npm run build [-- dashboard | -- sdk | -- packages | -- executable [SYSTEM]]`: the dashboard, which all but the SDK contain; the two
 * packages for npm, `dist/sdk`, then `dist/mayfly-mail`, which is compiled against the SDK's types; the Python package, `dist/python`; and
 * the executable for this machine, such as `dist/mayfly-linux-x64`, or for another system. Exit code 1 where there is none, with a reason.
 */
const [wanted = 'all', system, ...more] = process.argv.slice(2)
const parts = ['all', 'dashboard', 'sdk', 'packages', 'executable']
if (!parts.includes(wanted) || more.length > 0 || (system !== undefined && wanted !== 'executable')) {
  console.error('npm run build [-- dashboard | -- sdk | -- packages | -- executable [SYSTEM]]')
  process.exit(2)
}
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
if (wanted === 'all' || wanted === 'executable') {
  try {
    const target = targetOf(system)
    await buildExecutable(target)
    console.log(target.file)
    const { name, file } = containerTarget()
    if (process.platform !== 'linux' && !system) console.log(`A container needs ${file}: npm run build -- executable ${name}`)
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}

async function buildPackage(folder: string, build: (folder: string) => unknown) {
  rmSync(folder, { recursive: true, force: true })
  await build(folder)
  console.log(folder)
}
