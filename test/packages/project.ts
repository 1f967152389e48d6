import { expect } from 'chai'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { lockedPackages, overrides } from './lock.ts'
import type { Packed } from './lock.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/**
 * The environment of a new shell: Node 24 and the system's commands in the PATH, without the variables that npm set for the test, and
 * without `MAYFLY_…`.
 * @param variables are added
 */
function plainEnvironment(variables: Record<string, string> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_(cache|registry|userconfig)$)|MAYFLY_|NODE_(?!EXTRA_CA_CERTS$)|INIT_CWD)/.test(name))
  const path = process.env['PATH']!.split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return { ...Object.fromEntries(kept), PATH: [dirname(process.execPath), ...path].join(delimiter), ...variables }
}

/** Runs a command to its end. */
export function run(command: string, args: string[], cwd: string, variables?: Record<string, string>): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd, env: plainEnvironment(variables), maxBuffer: 64 * 1024 * 1024 }
    const child = execFile(command, args, options, (_error, stdout, stderr) => resolve({ code: child.exitCode ?? 1, stdout, stderr }))
  })
}

/** Runs a command. @returns its stdout @throws Error when it fails */
export async function must(command: string, args: string[], cwd: string, variables?: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, cwd, variables)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}\n${stdout}${stderr}`)
  return stdout
}

/**
 * An empty project with packages in it. Their dependencies have the versions of package-lock.json, so npm takes them from its cache, which
 * `npm ci` has filled, without a request to the registry; only with an emptied cache they are downloaded again.
 */
export async function openProject(folder: string, packages: Packed[]) {
  const project = { name: 'project', dependencies: Object.fromEntries(packages.map(({ manifest: { name }, tarball }) => [name, `file:${tarball}`])), overrides: overrides() }
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({
    name: project.name, lockfileVersion: 3, requires: true, packages: { '': project, ...lockedPackages(packages) },
  }))
  const args = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  const { code } = await run('npm', [...args, '--offline'], folder)
  if (code !== 0) await must('npm', [...args, '--prefer-offline'], folder)
}

/** Puts packages of the checkout into a project. */
export function borrow(folder: string, ...packages: string[]) {
  for (const name of packages) {
    const path = join(folder, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    rmSync(path, { recursive: true, force: true })
    symlinkSync(join(root, 'node_modules', name), path)
  }
}

export interface Running {
  /** Resolves with the first line of stdout that matches, of the output so far or later. */
  line(pattern: RegExp): Promise<RegExpExecArray>
  /** Waits until the process ends. @returns its stdout @throws when its exit code is not 0 */
  end(): Promise<string>
  /** Kills the process group. */
  stop(): Promise<void>
}

/** Runs a command in its own process group. */
export function start(command: string, args: string[], cwd: string, variables?: Record<string, string>): Running {
  const child = spawn(command, args, { cwd, env: plainEnvironment(variables), detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  const seen = new Set<() => void>()
  let stderr = ''
  child.stderr.on('data', (text) => { stderr += String(text) })
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    for (const look of seen) look()
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null }))
  return {
    line: (pattern) => new Promise((resolve, reject) => {
      const look = () => {
        const found = lines.map((line) => pattern.exec(line)).find((match) => match !== null)
        if (found) resolve(found)
      }
      seen.add(look)
      look()
      void ended.then(({ code }) => reject(new Error(`${command} ended with ${code} before it printed ${pattern}: ${stderr}`)))
    }),
    async end() {
      const { code } = await ended
      if (code !== 0) throw new Error(`${command} ended with ${code}: ${stderr}`)
      return lines.join('\n')
    },
    async stop() {
      if (process.platform === 'win32') child.kill() // there are no groups
      else if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGTERM')
      await ended
    },
  }
}

/** Starts the mock of an installed command, and calls it. */
export async function expectMock(program: string, cwd: string, variables?: Record<string, string>): Promise<void> {
  const mock = start(program, ['mock', '--port', '0'], cwd, variables)
  try {
    const [url] = await mock.line(/http:\S+/)
    const answer = await fetch(`${url}/api/v1/addresses`, { headers: { Authorization: 'Bearer svc_test_any' } })
    expect(answer.status).to.equal(200)
  } finally {
    await mock.stop()
  }
}

/** A port of this machine on which nothing listens, for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
