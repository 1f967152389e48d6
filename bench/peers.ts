import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { temporaryFolder } from '../test/attack/folder.ts'
import { openBacklog } from './backlog.ts'
import { openServer } from './bench-server.ts'
import { mails } from './mails.ts'
import { startHaraka } from './peers/haraka.ts'
import { installPeers } from './peers/install.ts'
import { startMailDev } from './peers/maildev.ts'
import type { Peer } from './peers/peer.ts'
import { startPostfix } from './peers/postfix.ts'
import { portIn, startProcess } from './processes.ts'
import { describeRatios, measureInTurn, median, rounds } from './rounds.ts'
import { runLoad } from './run-load.ts'
import { sumOf, watchThreads } from './thread-times.ts'

/** `npm run bench -- peers [ROUNDS]`: measures the server and others in turn, with the mails of `npm run bench`. */
const folder = temporaryFolder('mayfly-peers-')
const packages = installPeers()
const server = await openServer(join(folder, 'mayfly.db'))
const bare = await startProcess('./bare-smtp.ts')
const postfix = await startPostfix(folder)
if (!postfix) console.log('Postfix is left out: it is not installed, or this user is not root.')
const peers: Peer[] = [
  await startMailDev(packages, folder),
  await startHaraka(packages, folder),
  ...postfix ? [postfix] : [],
  { name: 'bare smtp-server', smtpPort: portIn(bare.output, 'smtp'), ...bare },
]
type Recorder = (server: string, processorMs: number) => void
/** Time after each measurement in which a server can finish its work. */
const restMs = 500

console.log(`mails a second, 20 connections, medians of ${rounds} rounds; milliseconds of processor time a mail. Ours and MailDev show a mail then, ` +
  'the others have accepted it; ours includes the time until it is authenticated and indexed')
for (const { name, count: ofBench } of mails) {
  const count = ofBench / 2
  const costs: Record<string, number[]> = {}
  const record = (of: string, ms: number) => (costs[of] ??= []).push(ms)
  const figures = await measureInTurn([
    () => measureOurs(name, count, record),
    ...peers.map((peer) => () => measurePeer(peer, name, count, record)),
  ])
  console.log(`\n${name}`)
  for (const [i, of] of ['Mayfly', ...peers.map((peer) => peer.name)].entries()) {
    const cost = costs[of] ? median(costs[of]).toFixed(2) : ''
    const ratio = i > 0 ? `   Mayfly is ${describeRatios(figures[0]!, figures[i]!, 2)} times as fast` : ''
    console.log(`  ${of.padEnd(18)}${median(figures[i]!).toFixed(0).padStart(6)}${cost.padStart(8)}${ratio}`)
  }
}
await Promise.all([server, ...peers].map(({ stop }) => stop()))

async function measureOurs(mail: string, count: number, record: Recorder): Promise<number> {
  const { id, address } = await server.newAddress()
  using backlog = openBacklog(server.databaseFile)
  using threads = watchThreads(server.pid)
  const [{ startedAt }, publishedAt] = await Promise.all([
    runLoad({ port: server.smtpPort, recipient: address, mails: [mail], count }),
    server.published(id, count, 25),
  ])
  await backlog.done()
  record('Mayfly', sumOf(threads.take()) / count)
  await pause(restMs)
  return count / (publishedAt - startedAt) * 1000
}

async function measurePeer({ name, smtpPort, pid, empty, shown }: Peer, mail: string, count: number, record: Recorder): Promise<number> {
  await empty?.()
  using threads = pid === undefined ? undefined : watchThreads(pid)
  const { seconds } = await runLoad({ port: smtpPort, recipient: 'bench@mail.localhost', mails: [mail], count })
  if (threads) record(name, sumOf(threads.take()) / count)
  const found = await shown?.() ?? count
  if (found !== count) throw new Error(`${name} shows ${found} of ${count} mails`)
  await pause(restMs)
  return count / seconds
}
