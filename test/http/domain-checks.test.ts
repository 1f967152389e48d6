import { expect } from 'chai'
import { testClock } from '../support/clock.ts'
import type { DnsZone } from '../support/dns-server.ts'
import { domainCheckDelaysMs, maxFailures, mxHost, openDomainsWorld, shareDomainsWorld } from '../support/domains.ts'
import type { AddedDomain, DomainsWorld } from '../support/domains.ts'
import { jobsOf } from '../support/store/jobs.ts'

const name = 'qa.example.com'
const mx = (...exchanges: string[]) => exchanges.map((exchange, i) => ({ exchange, priority: i * 10 }))
/** Lets the server go on. */
const pass = () => new Promise<void>((resolve) => { setImmediate(resolve) })
const minutes = (n: number) => n * 60_000

describe('Custom domains: DNS checks', () => {
  let world: DomainsWorld
  let added: AddedDomain
  const clock = testClock()
  const newWorld = shareDomainsWorld({ clock })
  beforeEach(async () => {
    world = await newWorld()
    added = await world.add(name)
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const asked = () => world.dns.questions.filter((question) => question.name === name).length
  const jobs = () => jobsOf(world.app, 'verify-domain')
  const later = (milliseconds: number) => world.app.advance({ seconds: milliseconds / 1000 })

  describe('on request', () => {
    const says = async (records: DnsZone[string], status: string, message: string) => {
      world.dns.zone[name] = records
      const answer = await world.verify(added.id)
      expect(answer.status).to.equal(200)
      expect(answer.body.data).to.include({ id: added.id, domain: name, status })
      expect(answer.body.message).to.equal(message)
      expect(answer.body.data.dnsRecords).to.deep.equal({
        mx: { type: 'MX', host: name, value: mxHost, priority: 10 }, txt: { type: 'TXT', host: name, value: added.txt },
      })
      expect(await world.statusOf(added.id)).to.equal(status)
    }
    const noTxt = `The TXT record of ${name} was not found.`
    const noMx = `The MX record of ${name} was not found.`

    it('names the missing record', async () => {
      await says('NXDOMAIN', 'pending', `${noTxt} ${noMx}`)
      await says({ A: ['192.0.2.1'] }, 'pending', `${noTxt} ${noMx}`)
      await says({ TXT: [added.txt] }, 'pending', noMx)
      await says({ MX: mx(mxHost) }, 'pending', noTxt)
      await says({ TXT: ['v=spf1 -all', 'mayfly'], MX: mx(mxHost) }, 'pending', noTxt)
    })

    it('shows the record that was found instead', async () => {
      await says({ TXT: [added.txt], MX: mx('mail.example.com', 'mail2.example.com') }, 'pending',
        `The MX record of ${name} is mail.example.com, mail2.example.com, not ${mxHost}.`)
      await says({ TXT: [added.txt], MX: mx('.') }, 'pending', `The MX record of ${name} is ".", not ${mxHost}.`)
      for (const wrong of ['mayfly-verify=0123', `${added.txt}0`, `${added.txt} `, added.txt.toUpperCase()]) {
        await says({ TXT: ['v=spf1 -all', wrong], MX: mx(mxHost) }, 'pending', `The TXT record of ${name} is ${wrong.trim()}, not ${added.txt}.`)
      }
      await says({ TXT: [`mayfly-verify=\u0007\r\n\t${'x'.repeat(500)}`], MX: mx(mxHost) }, 'pending',
        `The TXT record of ${name} is mayfly-verify= ${'x'.repeat(82)}, not ${added.txt}.`)
    })

    it('reports that the name servers fail', async () => {
      const failed = (why: string) => `The DNS lookup of ${name} failed: the server ${why}. It is tried again later.`
      await says('SERVFAIL', 'pending', failed('failed'))
      await says('REFUSED', 'pending', failed('refused the question'))
    })

    for (const [what, records] of [
      ['both', (txt: string) => ({ TXT: [txt], MX: mx(mxHost) })],
      ['both among others, the text in several strings', (txt: string) => ({
        TXT: ['v=spf1 -all', 'mayfly-verify=of-another-account', [txt.slice(0, 5), txt.slice(5, 20), txt.slice(20)]],
        MX: mx('mail.example.com', `${mxHost.toUpperCase()}.`),
      })],
    ] as const) {
      it(`accepts ${what}, and does not ask DNS again`, async () => {
        await says(records(added.txt), 'verified', `${name} is verified.`)
        const before = asked()
        await says('NXDOMAIN', 'verified', `${name} is verified.`)
        expect(asked()).to.equal(before)
      })
    }

    it('finds records that were set just before', async () => {
      await says('NXDOMAIN', 'pending', `${noTxt} ${noMx}`)
      world.point(added)
      expect((await world.verify(added.id)).body.data.status).to.equal('verified')
    })

    it('answers with the result of a check after the request, and leaves one job for concurrent requests', async () => {
      const before = asked()
      const answers = await Promise.all(Array.from({ length: 40 }, () => world.verify(added.id)))
      expect(new Set(answers.map(({ body }) => body.message))).to.deep.equal(new Set([`${noTxt} ${noMx}`]))
      await world.app.settled()
      expect(await jobs()).to.have.length(1)
      expect(asked() - before, 'one check for each at most').to.be.at.most(2 * 40)
      expect((await jobs())[0]!.runAt - world.app.app.clock.now()).to.equal(domainCheckDelaysMs[0])
    })

    it('answers 404 when the domain is deleted during the check', async () => {
      world.dns.zone[name] = 'silent'
      const [answer] = await Promise.all([
        world.verify(added.id),
        untilAsked(3).then(() => world.app.api('DELETE', `/domains/${added.id}`)),
      ])
      expect(answer).to.deep.include({ status: 404, body: { error: 'There is no domain with this id.', code: 'NOT_FOUND' } })
    })

    it('answers after two seconds when name servers are silent, and delays no other request', async () => {
      world.dns.zone[name] = 'silent'
      let isAnswered = false
      const slow = world.verify(added.id).finally(() => { isAnswered = true })
      await untilAsked(3)
      await clock.advance(1_999, pass)
      expect((await world.app.api('GET', '/domains')).status).to.equal(200)
      expect((await world.app.newAddress()).address).to.be.a('string')
      expect(isAnswered).to.equal(false)
      await clock.advance(1, pass)
      const { status, body } = await slow
      expect(status).to.equal(200)
      expect(body.data.status).to.equal('pending')
      expect(body.message).to.equal(`The name servers of ${name} have not answered yet. The check goes on; ask again in a moment.`)
    })

    it('does not wait for the check of another domain', async () => {
      world.dns.zone[name] = 'silent'
      const slow = world.verify(added.id)
      await untilAsked(3)
      const { id } = (await world.app.api('POST', '/domains', { body: { domain: 'other.example.com' } })).body.data
      expect((await world.verify(id)).body.message).to.include('was not found')
      await clock.advance(2_000, pass)
      expect((await slow).body.message).to.include('have not answered yet')
    })
  })

  describe('on schedule', () => {
    it('run at once, then with growing pauses for 48 hours', async () => {
      expect(asked()).to.equal(2)
      expect(domainCheckDelaysMs.reduce((sum, pause) => sum + pause)).to.equal(minutes(48 * 60))
      expect([...domainCheckDelaysMs].sort((a, b) => a - b)).to.deep.equal(domainCheckDelaysMs)
      for (const [i, pause] of domainCheckDelaysMs.entries()) {
        await later(pause - 1000)
        expect(asked(), `before pause ${i} is over`).to.equal(2 * (i + 1))
        await later(1000)
        expect(asked(), `after pause ${i}`).to.equal(2 * (i + 2))
      }
      expect(await jobs()).to.deep.equal([])
      const last = asked()
      world.point(added)
      await world.app.advance({ days: 30 })
      expect(asked()).to.equal(last)
      expect(await world.statusOf(added.id)).to.equal('pending')
    })

    it('Domain, pending: DNS records configured and checked → verified, without a request', async () => {
      await world.app.advance({ hours: 5 })
      world.point(added)
      await world.app.advance({ hours: 8 })
      expect(await world.statusOf(added.id)).to.equal('verified')
    })

    it('start again after a request', async () => {
      await world.app.advance({ days: 10 })
      expect(await jobs()).to.deep.equal([])
      await world.verify(added.id)
      const before = asked()
      await later(domainCheckDelaysMs[0]! + domainCheckDelaysMs[1]!)
      expect(asked() - before).to.equal(4)
      await world.verify(added.id)
      expect(asked() - before).to.equal(6)
      await later(domainCheckDelaysMs[0]!)
      expect(asked() - before).to.equal(8)
      expect(await jobs()).to.have.length(1)
    })

    it('continue after a restart, with one check in place of all that were missed', async () => {
      await using first = await openDomainsWorld()
      const { id } = await first.add(name)
      const { runAt } = (await jobsOf(first.app, 'verify-domain'))[0]!
      const { database } = first.app.app.config
      await first.app.app.close()
      for (const [stop, checks] of [[runAt - 1000, 0], [runAt + 1000, 2], [runAt + minutes(300), 2]] as const) {
        await using again = await openDomainsWorld({ database, clock: testClock(stop) })
        await again.app.settled()
        expect(again.dns.questions, `${stop - runAt}`).to.have.length(checks)
        expect(await again.statusOf(id, first.app.key)).to.equal('pending')
        expect(await jobsOf(again.app, 'verify-domain')).to.have.length(1)
      }
    })
  })

  describe('of a verified domain', () => {
    beforeEach(async () => {
      world.point(added)
      await world.verify(added.id)
    })
    const good = () => ({ TXT: [added.txt], MX: mx(mxHost) })

    it('run daily', async () => {
      let before = asked()
      for (let day = 0; day < 3; day++) {
        await world.app.advance({ hours: 23, minutes: 59 })
        expect(asked()).to.equal(before)
        await world.app.advance({ minutes: 1 })
        expect(asked()).to.equal(before += 2)
      }
      expect(await jobs()).to.have.length(1)
    })

    it('end the verification after five definitive failures in a row; then its addresses receive nothing until it is verified again', async () => {
      const { id, address } = await world.app.newAddress({ alias: 'box', domain: name })
      const failures: DnsZone[string][] = ['NXDOMAIN', { TXT: [added.txt] }, { MX: mx(mxHost) }, { TXT: [added.txt], MX: mx('mail.example.com') }]
      for (const records of failures) {
        world.dns.zone[name] = records
        await world.app.advance({ days: 1 })
        expect(await world.statusOf(added.id)).to.equal('verified')
        await world.offer(address, 250)
      }
      await world.app.advance({ days: 1 })
      expect(await world.statusOf(added.id)).to.equal('pending')
      await world.offer(address, 550)
      const sent = await world.app.api('POST', '/emails', { body: { fromAddressId: id, to: 'a@example.org', subject: 's', body: 'b' } })
      expect(sent).to.deep.include({ status: 409 }).and.have.nested.property('body.code', 'NOT_VERIFIED')
      expect((await world.app.api('POST', '/addresses', { body: { domain: name } })).body.code).to.equal('NOT_VERIFIED')

      world.dns.zone[name] = good()
      const before = asked()
      await later(domainCheckDelaysMs[0]! - 1000)
      expect(asked()).to.equal(before)
      await later(1000)
      expect(await world.statusOf(added.id)).to.equal('verified')
      await world.offer(address, 250)
      expect(await jobs()).to.have.length(1)
    })

    it('reset the count of failures when both records are found', async () => {
      for (const records of ['NXDOMAIN', 'NXDOMAIN', 'NXDOMAIN', 'NXDOMAIN', good(), 'NXDOMAIN', 'NXDOMAIN', 'NXDOMAIN', 'NXDOMAIN'] as const) {
        world.dns.zone[name] = records
        await world.app.advance({ days: 1 })
        expect(await world.statusOf(added.id)).to.equal('verified')
      }
      await world.app.advance({ days: 1 })
      expect(await world.statusOf(added.id)).to.equal('pending')
    })

    it('do not count answers of servers that fail or refuse, or silence, as failures', async () => {
      const day = async (records: DnsZone[string]) => {
        world.dns.zone[name] = records
        await world.app.advance({ days: 1 })
      }
      for (let i = 0; i < maxFailures * 2; i++) await day(i % 2 ? 'SERVFAIL' : 'REFUSED')
      for (let i = 1; i < maxFailures; i++) await day('NXDOMAIN')
      for (const records of ['SERVFAIL', 'REFUSED', 'silent'] as const) await day(records)
      expect(await world.statusOf(added.id)).to.equal('verified')
      await day('NXDOMAIN')
      expect(await world.statusOf(added.id)).to.equal('pending')
    })

    it('free the name for other accounts when the verification ends', async () => {
      const other = await world.app.newKey()
      expect((await world.app.api('POST', '/domains', { key: other, body: { domain: name } })).status).to.equal(409)
      world.dns.zone[name] = 'NXDOMAIN'
      await world.app.advance({ days: maxFailures })
      await world.hold(name, other)
      world.point(added)
      expect(await world.verify(added.id)).to.deep.include({ status: 409, body: { error: `${name} is in use already.`, code: 'CONFLICT' } })
    })
  })

  it('verify a domain for one account when 100 accounts prove it at the same time', async () => {
    const keys = await Promise.all(Array.from({ length: 100 }, () => world.app.newKey()))
    const contested = 'contested.example'
    const rivals = await Promise.all(keys.map(async (key) => ({ key, added: await world.add(contested, key) })))
    world.point(...rivals.map((rival) => rival.added))
    const answers = await Promise.all(rivals.map(async ({ key, added: { id } }) => {
      let answer = await world.verify(id, key)
      // `pending` after a DNS timeout: 200 lookups at once may take longer on a busy machine
      for (let again = 0; again < 3 && answer.body.data?.status === 'pending'; again++) answer = await world.verify(id, key)
      return answer
    }))
    const statuses = await Promise.all(rivals.map(({ key, added: { id } }) => world.statusOf(id, key)))
    const winners = answers.filter(({ status }) => status === 200)
    expect(winners.map(({ body }) => [body.data.status, body.message])).to.deep.equal([['verified', `${contested} is verified.`]])
    for (const [i, { status, body }] of answers.entries()) {
      expect(statuses[i]).to.equal(status === 200 ? 'verified' : 'pending')
      if (status !== 200) expect({ status, body }).to.deep.equal({ status: 409, body: { error: `${contested} is in use already.`, code: 'CONFLICT' } })
    }
  })

  async function untilAsked(count: number) {
    while (asked() < count) await new Promise(setImmediate)
  }
})
