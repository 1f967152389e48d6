import { expect } from 'chai'
import { mxHost, shareDomainsWorld } from '../support/domains.ts'
import type { DomainsWorld } from '../support/domains.ts'
import { runExample } from './run.ts'

describe('Examples: custom-domain.ts', function () {
  let world: DomainsWorld
  const newWorld = shareDomainsWorld()
  beforeEach(async () => { world = await newWorld() })
  afterEach(() => world[Symbol.asyncDispose]())

  it('shows the records, waits for them, and receives a mail at the domain', async () => {
    const { app, dns } = world
    await using run = runExample(app, 'custom-domain.ts', ['QA.example.com'])
    const [, txt] = await run.says(new RegExp([
      'TYPE  NAME            PRIORITY  VALUE',
      `MX    qa\\.example\\.com  10        ${mxHost}`,
      'TXT   qa\\.example\\.com            (mayfly-verify=\\w+)\n',
    ].join('\n')))
    await run.says(/^The TXT record of qa\.example\.com was not found\./m)
    dns.zone['qa.example.com'] = { MX: [{ exchange: mxHost, priority: 10 }] }
    await run.says(/^The TXT record of qa\.example\.com was not found\.$/m)
    dns.zone['qa.example.com'] = { TXT: [txt!], MX: [{ exchange: mxHost, priority: 10 }] }
    await run.says(/^qa\.example\.com is verified\.$/m)
    const [, address] = await run.says(/^Send a mail to (\S+@qa\.example\.com)$/m)
    await app.send({ to: address, subject: 'Hello' })
    const { code, stdout, stderr } = await run.end()
    expect([code, stderr]).to.deep.equal([0, ''])
    expect(stdout).to.match(/It came: { from: 'shop@example\.org', subject: 'Hello' }\n$/)
    expect((await app.api('GET', '/addresses')).body.data.total).to.equal(0)
  })

  it('continues with a domain that was added before', async () => {
    await world.hold('qa.example.com')
    await using run = runExample(world.app, 'custom-domain.ts', ['qa.example.com'])
    const [, address] = await run.says(/^qa\.example\.com is verified\.\nSend a mail to (\S+)\n/)
    await world.app.send({ to: address, subject: 'Hello' })
    expect((await run.end()).code).to.equal(0)
  })

  it('reports a missing argument', async () => {
    await using run = runExample(world.app, 'custom-domain.ts')
    const { code, stderr } = await run.end()
    expect(code).to.equal(1)
    expect(stderr).to.include('Which domain?')
  })
})
