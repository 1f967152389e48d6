import { createTransport } from 'nodemailer'
import { openNodes } from '../test/support/nodes.ts'
import { countArgument } from './count-argument.ts'

/**
 * `npm run bench -- nodes [COUNT]`: the time from the 250 of a mail that one node receives until a wait at another node is answered, beside
 * a wait at the same node. The nodes are in this process, with a PostgreSQL server of the tests.
 */
const count = countArgument(300)
await using world = await openNodes(2)
const [a, b] = world.nodes as [typeof world.nodes[0], typeof world.nodes[0]]
const transport = createTransport({ host: '127.0.0.1', port: a.smtp.port, pool: true, maxConnections: 1, tls: { rejectUnauthorized: false } })

for (const [name, node] of [['same node', a], ['other node', b]] as const) {
  const { id, address } = await a.newAddress()
  const [sentMs, waitedMs]: [number[], number[]] = [[], []]
  for (let i = 0; i < count; i++) {
    const answered = node.api('GET', `/emails/wait?address_id=${id}&timeout=20`).then(() => performance.now())
    while (node.app.feed.followers() === 0) await new Promise(setImmediate)
    const begun = performance.now()
    await transport.sendMail({ from: 'shop@example.org', to: address, subject: `Mail ${i}`, text: 'Your code is 123456.' })
    const sent = performance.now()
    sentMs.push(sent - begun)
    waitedMs.push(await answered - sent)
  }
  console.log(`${name}: 250 after ${figures(sentMs)}; wait answered after the 250: ${figures(waitedMs)}`)
}
transport.close()

function figures(values: number[]): string {
  const sorted = values.toSorted((x, y) => x - y)
  const at = (share: number) => `${sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1)} ms`
  return `p50 ${at(0.5)}, p99 ${at(0.99)}`
}
