import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Folders of which the scripts need the devDependencies of package.json, which `npm ci` leaves out (.npmrc). */
const folders = ['bench', 'build', 'lint', 'openapi', 'test']

/** Where npm lists the packages that it has installed completely, at the end of an installation. */
const listPath = join(root, 'node_modules', '.package-lock.json')

/** Exists during an installation, with the id of its process. */
const lockPath = join(root, 'node_modules', '.installing')

/** A lock that is older is of an installation that was killed, whose id another process has got since. */
const maxInstallMs = 15 * 60_000

/** @param {string | undefined} script that is started @returns whether it needs packages that are not installed */
export function lacksPackages(script) {
  return script !== undefined && folders.includes(relative(root, resolve(script)).split(sep)[0]) && !areInstalled()
}

const areInstalled = () => readIfThere(listPath).includes('"dev": true')

/**
 * Installs the devDependencies, unless another command is doing so.
 * @throws Error with a sentence for the user when they cannot be installed
 */
export async function installPackages() {
  let isWaiting = false
  while (!areInstalled()) {
    if (takeLock()) return install().finally(() => rmSync(lockPath, { force: true }))
    if (!isWaiting) print(`Waiting for process ${readIfThere(lockPath)}, which installs the packages for development.`)
    isWaiting = true
    await setTimeout(200)
  }
}

/** By `npm install`, which leaves alone what a running server uses; `npm ci` would remove it first. */
async function install() {
  print('Installing the packages for development, once.')
  removeIncomplete()
  const npm = startNpm(['install', '--no-save', '--include=dev', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'])
  if (npm.pid) writeFileSync(lockPath, String(npm.pid))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => npm.kill(signal))
  const [code, signal] = await once(npm, 'exit')
  process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM').removeAllListeners('SIGHUP')
  if (signal) throw new Error(`The installation was ended by ${signal}. The next command continues it.`)
  if (code !== 0) {
    throw new Error('The packages for development cannot be installed, for the reason above. They come from the registry of npm or from its '
      + 'cache: run "npm ci --include=dev" once where there is one.')
  }
}

/** Removes packages of package-lock.json that an interrupted installation has left: npm would take them for complete. */
function removeIncomplete() {
  const packagesOf = (path) => Object.keys(JSON.parse(readIfThere(path) || '{}').packages ?? {})
  const complete = new Set(packagesOf(listPath))
  for (const path of packagesOf(join(root, 'package-lock.json'))) {
    if (path.includes('node_modules/') && !complete.has(path)) rmSync(join(root, path), { recursive: true, force: true })
  }
}

/** The npm that runs this script, or else that of the PATH. */
function startNpm(args) {
  const stdio = ['ignore', 2, 2]
  const { npm_execpath: running = '' } = process.env
  return basename(running) === 'npm-cli.js'
    ? spawn(process.execPath, [running, ...args], { cwd: root, stdio })
    : spawn(['npm', ...args].join(' '), { cwd: root, stdio, shell: true })
}

/** @returns whether no other process has it */
function takeLock() {
  try {
    mkdirSync(dirname(lockPath), { recursive: true })
    removeOldLock()
    writeFileSync(lockPath, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST' && error.path === lockPath) return false
    throw new Error(`The packages for development are not installed, and ${root} cannot be written. Run "npm ci --include=dev" where it can.`)
  }
}

/** Removes the lock of a process that has ended. */
function removeOldLock() {
  const since = statSync(lockPath, { throwIfNoEntry: false })?.mtimeMs
  if (since === undefined) return
  const pid = Number(readIfThere(lockPath))
  if (Date.now() - since > maxInstallMs || pid && !isRunning(pid)) rmSync(lockPath, { force: true })
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const print = (text) => process.stderr.write(`${text}\n`)
