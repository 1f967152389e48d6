import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, startScript } from './listening.ts'
import type { Peer } from './peer.ts'

/** MailDev parses each mail before it answers, and keeps mail in memory. */
export async function startMailDev(packages: string, folder: string): Promise<Peer & { url: string }> {
  const [smtpPort, webPort] = [await freePort(), await freePort()]
  const cwd = join(folder, 'maildev')
  mkdirSync(cwd, { recursive: true })
  const script = join(packages, 'maildev/dist/bin/maildev.js')
  const args = ['--ip', '127.0.0.1', '--smtp', String(smtpPort), '--web-ip', '127.0.0.1', '--web', String(webPort), '--silent']
  const started = await startScript([script, ...args], smtpPort, { cwd, env: { TMPDIR: cwd } })
  const emails = `http://127.0.0.1:${webPort}/api/email`
  return {
    name: 'MailDev',
    url: `http://127.0.0.1:${webPort}`,
    smtpPort,
    async empty() {
      await fetch(`${emails}/all`, { method: 'DELETE' })
    },
    async shown() {
      const { total } = await (await fetch(`${emails}/summary?limit=1`)).json() as { total: number }
      return total
    },
    ...started,
  }
}
