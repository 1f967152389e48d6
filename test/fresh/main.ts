import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTransport } from 'nodemailer'
import { Mayfly } from '../../sdk/index.ts'
import { runIn } from './run-in.ts'
import type { Machine } from './run-in.ts'
import { installToolchain, versions } from './toolchains.ts'

/**
 * `npm run test:fresh`: the two commands of the README on machines with only a Node, the npm that it bundles and the basic system
 * commands, with an empty home folder and an empty cache. It needs the package registry.
 */

/**
 * Of the first installation, with its Node. Megabytes are those of the files; seconds those of one from a full cache: 20 to 25 on two idle
 * cores, so that only a much slower installation fails on busy ones.
 */
const max = { packages: 180, megabytes: 300, seconds: 60 }

const root = fileURLToPath(new URL('../..', import.meta.url))
const oneFile = 'test/sdk/round-trip.test.ts'
const folder = mkdtempSync(join(tmpdir(), 'mayfly-fresh-'))
let passed = 0
let failed = 0

try {
  for (const version of versions) {
    const bin = installToolchain(folder, version)
    const machine = newMachine(`node ${version.node}`, bin)
    const label = `Node ${version.node}, npm ${version.npm}`
    await step(`${label}: npm ci prints no warning`, () => install(machine))
    await step(`${label}: npm start takes a first mail`, () => firstMail(machine))
    await step(`${label}: npm test -- ${oneFile}`, async () => void await machine.must('npm', ['test', '--', oneFile]))
    rmSync(machine.checkout, { recursive: true })
  }
  const bin = join(folder, `node-${versions[0].node}`, 'bin')
  const machine = newMachine('production only', bin)
  await step('npm ci --omit=dev in a path with spaces prints no warning', () => install(machine, '--omit=dev'))
  await step(`npm ci again, from the cache, takes at most ${max.seconds} s`, () => installFast(machine))
  await step('npm start without development packages, without a home folder', () => firstMail({ ...machine, home: '/dev/null/none' }))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

/** @param run may return figures, which are printed */
async function step(title: string, run: () => Promise<unknown>) {
  const start = performance.now()
  const seconds = () => ((performance.now() - start) / 1000).toFixed(1)
  try {
    const figures = await run()
    passed++
    console.log(`ok      ${seconds().padStart(5)} s  ${title}${typeof figures === 'string' && figures !== '' ? `: ${figures}` : ''}`)
  } catch (error) {
    failed++
    console.log(`FAILED  ${seconds().padStart(5)} s  ${title}\n${(error as Error).message}`)
  }
}

/** Copies the files that git tracks or would track to a folder with a space in its name, and creates an empty home folder. */
function newMachine(name: string, bin: string): Machine {
  const checkout = join(folder, name, 'my checkout')
  const home = join(folder, name, 'home')
  mkdirSync(home, { recursive: true })
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const path of listed.split('\0').filter((each) => each && existsSync(join(root, each)))) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true })
    cpSync(join(root, path), join(checkout, path))
  }
  return runIn({ checkout, home, bin })
}

async function install(machine: Machine, ...args: string[]) {
  const output = await machine.must('npm', ['ci', ...args])
  // deprecation warnings depend on the registry, not on the checkout
  const warnings = output.split('\n').filter((line) => /^npm warn/i.test(line) && !/^npm warn deprecated /i.test(line))
  if (warnings.length > 0) throw new Error(warnings.join('\n'))
  const packages = Number(/added (\d+) packages/.exec(output)?.[1])
  const megabytes = bytesOf(join(machine.checkout, 'node_modules')) / 1e6
  const figures = `${packages} packages, ${megabytes.toFixed(0)} MB`
  if (!(packages <= max.packages && megabytes <= max.megabytes)) {
    throw new Error(`${figures}: more than ${max.packages} packages or ${max.megabytes} MB`)
  }
  return figures
}

/** On a machine with other work the processor time decides. */
async function installFast(machine: Machine) {
  rmSync(join(machine.checkout, 'node_modules'), { recursive: true })
  const start = performance.now()
  const output = await machine.must('bash', ['-c', 'TIMEFORMAT="processor %U %S"; time npm ci'])
  const seconds = (performance.now() - start) / 1000
  const [, user, system] = /^processor (\S+) (\S+)$/m.exec(output)!
  const processor = Number(user) + Number(system)
  const figures = `${seconds.toFixed(1)} s, ${processor.toFixed(1)} s of processor time`
  if (!(Math.min(seconds, processor) <= max.seconds)) throw new Error(figures)
  return figures
}

function bytesOf(path: string): number {
  const stats = lstatSync(path)
  return stats.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0) : stats.size
}

/** Starts the service, sends it a mail over SMTP, reads the mail through the SDK, opens the dashboard, and stops the service by SIGTERM. */
async function firstMail(machine: Machine) {
  const service = runIn(machine).start('npm', ['start'], { MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_MIN_FREE_BYTES: '0' })
  try {
    const [, apiKey] = await service.line(/shown this once: (\S+)/)
    const [, baseUrl, host, port] = await service.line(/listening http=(\S+) smtp=(\S+):(\d+)/)
    const inbox = await new Mayfly({ apiKey, baseUrl }).inboxes.create()
    const transport = createTransport({ host, port: Number(port), tls: { rejectUnauthorized: false } })
    await transport.sendMail({ from: 'shop@example.org', to: inbox.address, subject: 'Welcome', text: 'Your code is 482913.' })
    const { codes } = await inbox.waitFor({ timeoutMs: 10_000 })
    if (codes[0] !== '482913') throw new Error(`the mail has the codes ${JSON.stringify(codes)}`)
    const [, dashboard] = await service.line(/^dashboard (\S+)$/m)
    const page = await (await fetch(dashboard!, { headers: { accept: 'text/html' } })).text()
    const script = /src="([^"]+)"/.exec(page)?.[1] ?? ''
    const { status } = await fetch(new URL(script, baseUrl))
    if (!script.includes('/assets/') || status !== 200) throw new Error(`the dashboard answers ${status} for its script ${script}`)
    await service.stop('SIGTERM')
    if (await fetch(`${baseUrl}/healthz`).then(() => true, () => false)) throw new Error('the server still runs after SIGTERM')
  } finally {
    await service.stop('SIGKILL')
  }
}
