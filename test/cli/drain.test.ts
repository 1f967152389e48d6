import { expect } from 'chai'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { serve } from './run.ts'
import type { Served } from './run.ts'

describe('CLI: drain', function () {
  let folder: string
  before(async () => { folder = await mkdtemp(join(tmpdir(), 'mayfly-drain-')) })
  after(() => rm(folder, { recursive: true }))

  const variables = (seconds: number) => ({
    MAYFLY_DATABASE: join(folder, 'mayfly.db'), MAYFLY_LOG_LEVEL: 'silent', MAYFLY_DRAIN_SECONDS: String(seconds),
  })
  function portsOf({ lines }: Served) {
    const [, url, smtp] = /http=(\S+) smtp=\S+:(\d+)$/.exec(lines.at(-1)!)!
    return { url: url!, smtp: Number(smtp) }
  }
  async function unready(url: string) {
    for (;;) {
      const answer = await fetch(`${url}/readyz`)
      if (answer.status === 503) return answer
      await answer.text()
      await setTimeout(10)
    }
  }

  it('answers /readyz with 503 first, while mail and requests are served, and then ends', async () => {
    await using served = await serve(variables(2))
    const { url, smtp } = portsOf(served)
    expect((await fetch(`${url}/readyz`)).status).to.equal(200)
    const ended = served.stop('SIGTERM')
    const answer = await unready(url)
    expect(await answer.json()).to.deep.equal({ status: 'unavailable', reason: 'the server is about to end' })
    expect(answer.headers.get('connection')).to.equal('close')
    expect((await fetch(`${url}/healthz`)).status).to.equal(200)
    expect((await fetch(`${url}/api/v1/addresses`)).status).to.equal(401)
    const session = connect(smtp, '127.0.0.1')
    const [greeting] = await once(session, 'data') as [Buffer]
    expect(String(greeting)).to.match(/^220 /)
    const [farewell] = await once(session, 'data') as [Buffer]
    expect(String(farewell)).to.match(/^421 /)
    session.destroy()
    expect((await ended).code).to.equal(0)
  })

  it('closes the connection of a request that came before, so that the next one finds another server', async () => {
    await using served = await serve({ ...variables(2), MAYFLY_DATABASE: join(folder, 'with-key.db') })
    const { url } = portsOf(served)
    const [key] = /svc_live_\w+/.exec(served.lines.join('\n'))!
    const waiting = fetch(`${url}/api/v1/emails/wait?timeout=60`, { headers: { authorization: `Bearer ${key}` } })
    for (let i = 0; i < 20; i++) await (await fetch(`${url}/healthz`)).text() // meanwhile the wait begins
    const ended = served.stop('SIGTERM')
    const { status, headers } = await waiting
    expect([status, headers.get('connection')]).to.deep.equal([204, 'close'])
    expect((await ended).code).to.equal(0)
  })

  it('ends at once at a second signal', async () => {
    await using served = await serve(variables(3600))
    const { url } = portsOf(served)
    let hasEnded = false
    const ended = served.stop('SIGTERM').finally(() => { hasEnded = true })
    await unready(url)
    // signals within a second are one
    while (!hasEnded) {
      void served.stop('SIGTERM')
      await setTimeout(50)
    }
    expect((await ended).code).to.equal(1)
  })
})
