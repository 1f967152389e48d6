import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, startScript } from './listening.ts'
import type { Peer } from './peer.ts'

/** Haraka with its test queue, which writes each mail to a file without fsync. It does not parse mail. */
export async function startHaraka(packages: string, folder: string): Promise<Peer> {
  const smtpPort = await freePort()
  const cwd = join(folder, 'haraka')
  const queue = join(cwd, 'queue')
  mkdirSync(queue, { recursive: true })
  cpSync(join(packages, 'Haraka/config'), join(cwd, 'config'), { recursive: true })
  const config: Record<string, string> = {
    'smtp.ini': `listen=127.0.0.1:${smtpPort}\n`,
    'plugins': 'rcpt_to.in_host_list\nqueue/test\n',
    'host_list': 'mail.localhost\n',
    'log.ini': '[main]\nlevel=crit\n',
  }
  for (const [name, text] of Object.entries(config)) writeFileSync(join(cwd, 'config', name), text)
  const started = await startScript([join(packages, 'Haraka/haraka.js')], smtpPort, { cwd, env: { HARAKA: cwd, TMPDIR: queue } })
  return {
    name: 'Haraka',
    smtpPort,
    async empty() {
      for (const file of readdirSync(queue)) rmSync(join(queue, file), { recursive: true, force: true })
    },
    stop: () => started.stop(), // it has several processes, so no processor time
  }
}
