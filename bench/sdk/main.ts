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

/** Installs the SDK as it would be published, and clients of other services, from the registry; prints a table in Markdown. */
const folder = mkdtempSync(join(tmpdir(), 'mayfly-bench-sdk-'))
try {
  rmSync(sdkFolder, { recursive: true, force: true })
  await buildSdk(sdkFolder)
  const rows: string[][] = []
  for (const client of clients) rows.push(await measure(client))
  const head = ['', 'packages', 'installed', 'install', 'bundle, min + brotli', 'import', 'first call']
  const lines = [head, ['---', ...head.slice(1).map(() => '---:')], ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  console.log(`${lines.join('\n')}\n\n${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus()[0]!.model} (${cpus().length} cores)`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure(client: Client): Promise<string[]> {
  const project = join(folder, client.name.replace(/\W/g, '-'))
  const installTime = install(project, client === clients[0] ? pack() : client.name)
  const { bytes, packages } = installed(project)
  const { version } = JSON.parse(readFileSync(join(project, 'node_modules', client.name, 'package.json'), 'utf8')) as { version: string }
  const { imported, called } = await firstCall(project, client, 21)
  return [
    `${client.name} ${version}`, String(packages), kilobytes(bytes), `${(installTime / 1000).toFixed(2)} s`,
    kilobytes(await bundled(project, client)), `${imported.toFixed(1)} ms`, `${called.toFixed(1)} ms`,
  ]
}

function pack(): string {
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: sdkFolder, encoding: 'utf8' }))
  return join(folder, filename)
}

function kilobytes(bytes: number): string {
  const thousands = bytes / 1000
  return `${thousands < 100 ? thousands.toFixed(1) : Math.round(thousands).toLocaleString('en')} kB`
}
