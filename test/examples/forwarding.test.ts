import { expect } from 'chai'
import { press, shareForwardingWorld } from '../support/forwarding.ts'
import type { ForwardingWorld } from '../support/forwarding.ts'
import { runExample } from './run.ts'

describe('Examples: forwarding.ts', function () {
  let world: ForwardingWorld
  const newWorld = shareForwardingWorld()
  beforeEach(async () => { world = await newWorld() })

  it('waits for the verification, and forwards the mail that matches the filters', async () => {
    const { app, receiver } = world
    await using run = runExample(app, 'forwarding.ts', ['ada@example.com', '--sender', 'shop.example', '--subject', 'code'])
    await run.says(/^Waiting for ada@example\.com to agree/)
    expect((await press(app, await world.linkTo('ada@example.com'))).status).to.equal(200)
    const { code, stdout, stderr } = await run.end()
    expect([code, stderr]).to.deep.equal([0, ''])
    const [, address] = /\nMail to (\S+) is forwarded to ada@example\.com\.\n  from     shop\.example\n  subject  code\n$/.exec(stdout)!

    receiver.mails.length = 0
    await app.send({ to: address, from: 'a@shop.example', subject: 'Hello' })
    await app.send({ to: address, from: 'a@other.example', subject: 'Your code' })
    await app.send({ to: address, from: 'a@shop.example', subject: 'Your code', text: 'It is 482913.' })
    await app.settled()
    expect(receiver.mails.map(({ recipient }) => recipient)).to.deep.equal(['ada@example.com'])
    expect(receiver.mails[0]!.sourceText).to.include('It is 482913.')
  })

  it('sends one verification mail for repeated runs', async () => {
    const { email } = await world.newVerified()
    await using run = runExample(world.app, 'forwarding.ts', [email.toUpperCase()])
    const { code, stdout, stderr } = await run.end()
    expect([code, stderr]).to.deep.equal([0, ''])
    expect(stdout).to.match(/^Mail to \S+@mail\.localhost is forwarded to ada@example\.com\.\n  from     any\n  subject  any\n$/)
    await world.app.settled()
    expect(world.receiver.mails).to.deep.equal([])
  })

  it('reports a missing argument', async () => {
    await using run = runExample(world.app, 'forwarding.ts')
    const { code, stderr } = await run.end()
    expect(code).to.equal(1)
    expect(stderr).to.include('Where to? Give an email address.')
  })
})
