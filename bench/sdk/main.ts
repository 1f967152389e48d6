import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sdkFolder } from '../../build/paths.ts'
import { buildSdk } from '../../build/sdk.ts'
import { clients } from './clients.ts'
import type { Client } from './clients.ts'
import { firstCall } from './first-call.ts'
import { bundled, install, installed } from './projects.ts'

/**
 * Installs the SDK as it would be published, and clients of other services, from the registry, and prints a table in Markdown: medians
 * of rounds in which each has its turn, so that the machine's other load affects all equally.
 */
const folder = mkdtempSync(join(tmpdir(), 'mayfly-bench-sdk-'))
const projectOf = ({ name }: Client) => join(folder, name.replace(/\W/g, '-'))
try {
  rmSync(sdkFolder, { recursive: true, force: true })
  await buildSdk(sdkFolder)
  const tarball = pack()
  const installOne = (client: Client) => install(projectOf(client), client === clients[0] ? tarball : client.name)
  for (const client of clients) installOne(client) // fetches it
  const installs = await inRounds(5, async (client) => installOne(client))
  const calls = await inRounds(25, (client) => firstCall(projectOf(client), client))
  const head = ['', 'packages', 'installed', 'install', 'bundle', 'import', 'first call', 'both']
  const rows = [head, ['---', ...head.slice(1).map(() => '---:')]]
  for (const client of clients) rows.push(await describe(client, installs.get(client)!, calls.get(client)!))
  console.log(rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n'))
  console.log(`\n${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus()[0]!.model} (${cpus().length} cores)`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function inRounds<Result>(rounds: number, measure: (client: Client) => Promise<Result>): Promise<Map<Client, Result[]>> {
  const results = new Map<Client, Result[]>(clients.map((client) => [client, []]))
  for (let round = 0; round < rounds; round++) {
    for (const client of clients) results.get(client)!.push(await measure(client))
  }
  return results
}

async function describe(client: Client, installs: number[], calls: { imported: number, called: number }[]): Promise<string[]> {
  const project = projectOf(client)
  const { bytes, packages } = installed(project)
  const { version } = JSON.parse(readFileSync(join(project, 'node_modules', client.name, 'package.json'), 'utf8')) as { version: string }
  const phases = [calls.map(({ imported }) => imported), calls.map(({ called }) => called)]
  const both = calls.map(({ imported, called }) => imported + called)
  return [
    `${client.name} ${version}`, String(packages), kilobytes(bytes), `${(median(installs) / 1000).toFixed(1)} s`,
    kilobytes(await bundled(project, client)), ...[...phases, both].map((values) => `${median(values).toFixed(0)} ms`),
  ]
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

function pack(): string {
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: sdkFolder, encoding: 'utf8' }))
  return join(folder, filename)
}

function kilobytes(bytes: number): string {
  const thousands = bytes / 1000
  return `${thousands < 100 ? thousands.toFixed(1) : Math.round(thousands).toLocaleString('en')} kB`
}
