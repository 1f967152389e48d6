import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { expect } from 'chai'
import { compareSubjects, publishedEmails } from '../crash/published-emails.ts'
import { newAddress } from '../crash/server.ts'
import { send } from './crash/clients.ts'
import { openWorld } from './crash/world.ts'

describe('Nodes: a rolling restart', function () {
  let folder: string
  before(async () => { folder = await mkdtemp(join(tmpdir(), 'mayfly-rolling-')) })
  after(() => rm(folder, { recursive: true }))

  it('of three nodes fails no request, ends each wait with an answer, and loses and refuses no mail', async function () {
    this.timeout(600_000) // three servers start and end, each with a drain
    await using world = await openWorld({ folder, skewsMs: [0, 0, 0], variables: { MAYFLY_DRAIN_SECONDS: '3' } })
    const { nodes, url, key, smtpPort } = world
    const address = await newAddress(url, key)
    const stop = new AbortController()
    const accepted = new Set<string>()
    const faults: string[] = []
    const answered = new Map<string, number>()
    /** Sends a request repeatedly. A failed one is a fault, and is not retried. */
    const repeat = async (method: string, path: string) => {
      while (!stop.signal.aborted) {
        const init = { method, headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json' } }
        const fault = await fetch(`${url}/api/v1${path}`, { ...init, ...method === 'POST' && { body: '{}' } })
          .then(async (answer) => { await answer.arrayBuffer(); return answer.ok ? undefined : String(answer.status) })
          .catch((error: Error) => error.cause instanceof Error ? error.cause.message : error.message)
        if (fault) faults.push(`${method} ${path}: ${fault}`)
        else answered.set(path, (answered.get(path) ?? 0) + 1)
        await pass(10)
      }
    }
    const load = [
      ...Array.from({ length: 3 }, (_, i) =>
        send({ port: smtpPort, recipient: address.address, name: `mail ${i}`, signal: stop.signal, replyTimeoutMs: 0 }, accepted, faults)),
      repeat('POST', '/addresses'),
      repeat('GET', `/emails?address_id=${address.id}`),
      repeat('GET', `/emails/wait?address_id=${address.id}&subject=no%20such%20mail&timeout=5`),
    ]
    for (const node of nodes) {
      await world.restart(node)
      const before = [accepted.size, ...answered.values()]
      while ([accepted.size, ...answered.values()].some((count, i) => count <= before[i]!)) await pass(20)
    }
    stop.abort()
    await Promise.all(load)
    expect(faults).to.deep.equal([])
    expect(answered.size).to.equal(3)
    const emails = await publishedEmails(url, key, address.id, accepted)
    expect(accepted).to.not.be.empty
    expect(compareSubjects(accepted, emails)).to.deep.equal({ lost: [], repeated: [] })
  })
})
