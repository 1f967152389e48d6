import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, untilListening } from './listening.ts'
import type { Peer } from './peer.ts'

/** The services of master.cf that a mail passes which is accepted, and then discarded or relayed. */
const services = [
  'pickup unix n - n 60 1 pickup', 'smtp unix - - n - - smtp', 'cleanup unix n - n - 0 cleanup', 'qmgr unix n - n 300 1 qmgr', 'rewrite unix - - n - - trivial-rewrite',
  'bounce unix - - n - 0 bounce', 'defer unix - - n - 0 bounce', 'trace unix - - n - 0 bounce', 'verify unix - - n - 1 verify',
  'proxymap unix - - n - - proxymap', 'error unix - - n - - error', 'retry unix - - n - - error', 'discard unix - - n - - discard',
  'anvil unix - - n - 1 anvil', 'scache unix - - n - 1 scache', 'tlsmgr unix - - n 1000? 1 tlsmgr', 'postlog unix-dgram n - n - 1 postlogd',
]

/**
 * Postfix with a configuration and a queue of its own. A 250 means that the mail is in its queue, on disk; it is discarded then.
 * @param changes settings of main.cf in place of these
 * @returns undefined where it is not installed, or where this user may not start it
 */
export async function startPostfix(folder: string, changes: Record<string, string> = {}): Promise<Peer | undefined> {
  const owner = idsOf('postfix')
  if (spawnSync('postconf', ['-d', 'mail_version']).status !== 0 || process.getuid?.() !== 0 || !owner) return undefined
  const smtpPort = await freePort()
  const home = join(folder, 'postfix')
  for (const name of ['config', 'queue', 'data']) mkdirSync(join(home, name), { recursive: true })
  chmodSync(folder, 0o755) // its processes run as another user
  chownSync(join(home, 'data'), owner.user, owner.group)
  const settings = {
    compatibility_level: '3.6',
    queue_directory: join(home, 'queue'),
    data_directory: join(home, 'data'),
    inet_interfaces: '127.0.0.1',
    mynetworks: '127.0.0.0/8',
    myhostname: 'mx.mail.localhost',
    mydestination: 'mail.localhost',
    local_recipient_maps: '',
    alias_maps: '',
    local_transport: 'discard:',
    default_transport: 'discard:',
    smtpd_peername_lookup: 'no',
    maillog_file_prefixes: home,
    maillog_file: join(home, 'log'),
    ...changes,
  }
  writeFileSync(join(home, 'config/main.cf'), Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`).join(''))
  writeFileSync(join(home, 'config/master.cf'), [`127.0.0.1:${smtpPort} inet n - n - - smtpd`, ...services, ''].join('\n'))
  const command = (verb: string) => { execFileSync('postfix', ['-c', join(home, 'config'), verb], { stdio: 'ignore' }) }
  command('start')
  const stop = () => command('abort')
  process.prependOnceListener('exit', stop)
  await untilListening(smtpPort)
  return {
    name: 'Postfix',
    smtpPort,
    async stop() {
      process.off('exit', stop)
      stop()
    },
  }
}

/** @returns undefined when there is no such user */
function idsOf(name: string): { user: number, group: number } | undefined {
  const [user, group] = ['-u', '-g'].map((option) => spawnSync('id', [option, name], { encoding: 'utf8' }))
  if (user!.status !== 0 || group!.status !== 0) return undefined
  return { user: Number(user!.stdout), group: Number(group!.stdout) }
}
