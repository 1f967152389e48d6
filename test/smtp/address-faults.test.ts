import { expect } from 'chai'
import { createTransport } from 'nodemailer'
import type { SendMailOptions } from 'nodemailer'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openSession, playSession } from '../support/play-session.ts'
import type { Step } from '../support/play-session.ts'
import { insertRefusedTries } from '../support/store/refused-tries.ts'
import { rowsOf } from '../support/store/rows.ts'

const hello: Step = ['EHLO app.example', 250]
const content = 'Subject: a\r\n\r\nb\r\n.'
const text: Step = [content, 250]
const plain = (username: string, password: string) => `AUTH PLAIN ${Buffer.from(`\0${username}\0${password}`).toString('base64')}`

interface Login {
  id: string
  address: string
  smtp: { username: string, password: string, port: number }
}

describe('Addresses: SMTP faults', () => {
  let app: TestApp
  before(async () => { app = await openTestApp() })
  after(() => app[Symbol.asyncDispose]())

  const newLogin = async (): Promise<Login> => (await app.api('POST', '/addresses', { body: { smtpLogin: true } })).body.data
  const put = (id: string, steps: object[], options = {}) => app.api('PUT', `/addresses/${id}/smtp-faults`, { body: { steps }, ...options })
  const left = async (id: string) => (await app.api('GET', `/addresses/${id}/smtp-faults`)).body.data.steps
  const activity = async (id: string) => (await app.api('GET', `/addresses/${id}/activity`)).body.data as Record<string, unknown>[]
  const codes = async (id: string) => (await activity(id)).map(({ stage, code }) => `${String(stage)} ${String(code)}`)
  const to = (address: string, code = 250): Step => [`RCPT TO:<${address}>`, code]
  const from: Step = ['MAIL FROM:<a@b.example>', 250]

  async function set(id: string, steps: object[]) {
    const { status, body } = await put(id, steps)
    expect(status, JSON.stringify(body)).to.equal(200)
  }

  describe('for mail to its name', () => {
    it('are answered as often as they say, with their code and text, and then no more', async () => {
      const { id, address } = await app.newAddress()
      await set(id, [
        { at: 'rcpt', code: 451, enhanced: '4.7.26', text: 'Later, please', times: 2 }, { at: 'rcpt', code: 550 }, { at: 'data', code: 452 },
        { at: 'end', code: 554, text: 'Not this one' },
      ])
      const replies = await playSession(app.smtp, [
        hello, from, to(address, 451), to(address, 451), to(address, 550), to(address), ['DATA', 452], ['DATA', 354], [content, 554],
        from, to(address), ['DATA', 354], text,
      ])
      expect([replies[2], replies[4], replies[6], replies[8]]).to.deep.equal([
        '451 4.7.26 Later, please', '550 5.0.0 A fault on purpose', '452 4.0.0 A fault on purpose', '554 5.0.0 Not this one',
      ])
      await app.settled()
      const { id: emailId } = await app.onlyEmail(id)
      expect(await left(id)).to.deep.equal([])
      expect(await codes(id)).to.deep.equal(['end 250', 'end 554', 'data 452', 'rcpt 550', 'rcpt 451', 'rcpt 451'])
      const [accepted, refused, , , last] = await activity(id)
      expect(accepted).to.deep.include({ emailId })
      expect(refused).to.deep.include({ enhancedCode: '5.0.0', text: 'Not this one', from: 'a@b.example', recipients: [address], emailId: null })
      expect(last).to.deep.include({ enhancedCode: '4.7.26', text: 'Later, please', client: { address: '127.0.0.1', helo: 'app.example' } })
    })

    it('are listed with the number of times that is left', async () => {
      const { id, address } = await app.newAddress()
      await set(id, [{ at: 'data', code: 451, times: 3, delayMs: 1 }])
      await playSession(app.smtp, [hello, from, to(address), ['DATA', 451]])
      expect(await left(id)).to.deep.equal([{ at: 'data', code: 451, enhanced: '4.0.0', text: 'A fault on purpose', times: 2, delayMs: 1 }])
      expect((await app.api('DELETE', `/addresses/${id}/smtp-faults`)).body).to.deep.equal({ message: 'The address has no SMTP faults any more.' })
      await playSession(app.smtp, [hello, from, to(address)])
      expect(await left(id)).to.deep.equal([])
    })

    it('are those at MAIL taken at RCPT, and none at AUTH', async () => {
      const { id, address } = await app.newAddress()
      await set(id, [{ at: 'auth', code: 454 }, { at: 'mail', code: 450 }])
      await playSession(app.smtp, [hello, from, to(address, 450), to(address)])
      expect(await left(id)).to.have.length(1)
    })

    it('delay a reply, at DATA if they are at RCPT', async () => {
      const { id, address } = await app.newAddress()
      await set(id, [{ at: 'rcpt', delayMs: 40 }, { at: 'end', delayMs: 50 }])
      await using session = await openSession(app.smtp)
      await session.play([hello, from, to(address)])
      for (const [step, delayMs] of [[['DATA', 354], 40], [text, 50]] as [Step, number][]) {
        const sent = performance.now()
        await session.play([step])
        expect(performance.now() - sent, step[0].toString()).to.be.at.least(delayMs - 1) // a timer may be a millisecond early
      }
      await app.settled()
      await app.onlyEmail(id)
      expect(await codes(id)).to.deep.equal(['end 250'])
    })

    it('store a mail before the delay of its end: a client that does not wait for it sends it twice', async () => {
      const { id, address } = await app.newAddress()
      await set(id, [{ at: 'end', delayMs: 60_000 }])
      await using session = await openSession(app.smtp)
      await session.play([hello, from, to(address), ['DATA', 354]])
      session.send(`${content}\r\n`)
      while ((await app.listEmails({ address_id: id })).length === 0) await new Promise(setImmediate)
      session.socket.destroy()
      await playSession(app.smtp, [hello, from, to(address), ['DATA', 354], text])
      await app.settled()
      expect(await app.listEmails({ address_id: id })).to.have.length(2)
    })

    it('drop the connection without a reply, at DATA if they are at RCPT', async () => {
      for (const at of ['rcpt', 'data', 'end']) {
        const { id, address } = await app.newAddress()
        await set(id, [{ at, drop: true }])
        await using session = await openSession(app.smtp)
        await session.play([hello, from, to(address)])
        if (at === 'end') await session.play([['DATA', 354]])
        session.send(at === 'end' ? `${content}\r\n` : 'DATA\r\n')
        expect(await session.ended(), at).to.equal('')
        expect(await app.listEmails({ address_id: id })).to.deep.equal([])
        expect(await codes(id)).to.deep.equal([`${at === 'end' ? 'end' : 'data'} null`])
        await playSession(app.smtp, [hello, from, to(address), ['DATA', 354], text])
      }
    })

    it('delay no mail that goes to an address of another account, too', async () => {
      const eve = (await app.api('POST', '/addresses', { key: await app.newKey(), body: {} })).body.data
      const { id, address } = await app.newAddress()
      await set(id, [{ at: 'rcpt', delayMs: 60_000 }])
      await playSession(app.smtp, [hello, from, to(address), to(eve.address), ['DATA', 354], text])
      expect(await left(id)).to.have.length(1)
    })

    it('end the session with 421, at DATA if they are at RCPT', async () => {
      const { id, address } = await app.newAddress()
      await set(id, [{ at: 'rcpt', code: 421, enhanced: '4.3.2' }])
      await using session = await openSession(app.smtp)
      await session.play([hello, from, to(address), ['DATA', 421]])
      expect(await session.ended()).to.equal('')
    })

    it('do not take a mail from the addresses of other accounts', async () => {
      const { id, address } = await app.newAddress()
      const key = await app.newKey()
      const theirs = (await app.api('POST', '/addresses', { key, body: {} })).body.data
      const steps = [{ at: 'rcpt', drop: true }, { at: 'rcpt', code: 421 }, { at: 'data', code: 550 }, { at: 'end', code: 550 }]
      await set(id, steps)
      await playSession(app.smtp, [hello, from, to(address), to(theirs.address), ['DATA', 354], text])
      await app.settled()
      expect((await app.api('GET', `/emails?address_id=${theirs.id}`, { key })).body.data).to.have.length(1)
      expect(await left(id)).to.have.length(steps.length)
      expect((await app.api('GET', `/addresses/${theirs.id}/activity`, { key })).body.total).to.equal(1)
    })

    it('greylist: defer each new triple of network, sender and recipient until it is tried again a second later', async () => {
      await using own = await openTestApp()
      const { id, address } = await own.newAddress()
      await own.api('PUT', `/addresses/${id}/smtp-faults`, { body: { steps: [{ at: 'rcpt', kind: 'greylist' }] } })
      const [reply] = (await playSession(own.smtp, [hello, from, to(address, 451), to(address, 451)])).slice(-1)
      expect(reply).to.equal('451 4.7.1 Greylisted, try again later')
      await own.advance({ seconds: 1 })
      await playSession(own.smtp, [hello, from, to(address), ['RSET', 250], ['MAIL FROM:<other@b.example>', 250], to(address, 451)])
      await playSession(own.smtp, [hello, from, to(address)])
    })

    it('greylist: know the last 200 triples, in a row of a few kilobytes', async () => {
      await using own = await openTestApp()
      const { id, address } = await own.newAddress()
      await own.api('PUT', `/addresses/${id}/smtp-faults`, { body: { steps: [{ at: 'rcpt', kind: 'greylist' }] } })
      const [alias, domain] = address.split('@')
      const tagged = (tag: number, code: number) => to(`${alias}+${tag}@${domain}`, code)
      for (let first = 0; first <= 200; first += 67) {
        await playSession(own.smtp, [hello, from, ...Array.from({ length: Math.min(67, 201 - first) }, (_, i) => tagged(first + i, 451))])
      }
      const [row] = await rowsOf(own, 'addresses')
      expect(row!.smtpFaults!.length).to.be.within(4_000, 4_100)
      await own.advance({ seconds: 1 })
      await playSession(own.smtp, [hello, from, tagged(1, 250), tagged(200, 250), tagged(0, 451)])
      await playSession(own.smtp, [hello, from, tagged(1, 451)])
    })

    it('rate: defer recipients beyond a number a minute', async () => {
      await using own = await openTestApp()
      const { id, address } = await own.newAddress()
      await own.api('PUT', `/addresses/${id}/smtp-faults`, { body: { steps: [{ at: 'rcpt', kind: 'rate', times: 2 }] } })
      for (let minute = 0; minute < 2; minute++) {
        for (const code of [250, 250, 450, 450]) await playSession(own.smtp, [hello, from, to(address, code)])
        await own.advance({ minutes: 1 })
      }
    })

    it('keep the last 1,000 refused tries', async () => {
      const { id, address } = await app.newAddress()
      await insertRefusedTries(app, id, 1_000)
      await set(id, [{ at: 'rcpt', code: 451, times: 10 }])
      await playSession(app.smtp, [hello, from, ...Array.from({ length: 10 }, () => to(address, 451))])
      const { body } = await app.api('GET', `/addresses/${id}/activity?limit=100`)
      expect(body.total).to.equal(1_000)
      expect(body.data.slice(0, 11).map(({ code }: { code: number }) => code)).to.deep.equal([...Array<number>(10).fill(451), 450])
    })
  })

  describe('for mail with its login', () => {
    it('are taken at every stage', async () => {
      const { id, smtp: { username, password } } = await newLogin()
      await set(id, ['auth', 'mail', 'rcpt', 'data', 'end'].map((at, i) => ({ at, code: 450 + i })))
      const login = plain(username, password)
      await playSession(app.smtp, [
        hello, [login, 450], [login, 235], ['MAIL FROM:<a@b.example>', 451], from, to('ada@customer.example', 452), to('ada@customer.example'),
        ['DATA', 453], ['DATA', 354], [content, 454], from, to('ada@customer.example'), ['DATA', 354], text,
      ])
      await app.settled()
      expect(await codes(id)).to.deep.equal(['end 250', 'end 454', 'data 453', 'rcpt 452', 'mail 451', 'auth 450'])
      expect((await activity(id))[1]).to.deep.include({ recipients: ['ada@customer.example'] })
    })

    it('are not used up by a wrong password', async () => {
      const { id, smtp: { username } } = await newLogin()
      await set(id, [{ at: 'auth', code: 454 }])
      await playSession(app.smtp, [hello, [plain(username, 'wrong'), 535]])
      expect(await left(id)).to.have.length(1)
    })

    describe('nodemailer', () => {
      /** As an app does that tries again at once. @returns the errors */
      async function deliver({ smtp: { username, password, port } }: Login, tries: number, mail: SendMailOptions = {}) {
        const errors: { responseCode?: number, code?: string, command?: string, response?: string }[] = []
        for (let left = tries; left > 0; left--) {
          const transport = createTransport({ host: '127.0.0.1', port, auth: { user: username, pass: password }, tls: { rejectUnauthorized: false } })
          try {
            await transport.sendMail({ from: 'app@shop.example', to: 'ada@customer.example', subject: 'Your code', text: '482913', ...mail })
            return errors
          } catch (error) {
            errors.push(error as typeof errors[0])
          } finally {
            transport.close()
          }
        }
        return errors
      }

      it('reports a temporary code, and delivers when it tries again: the activity shows three tries', async () => {
        const login = await newLogin()
        await set(login.id, [{ at: 'rcpt', code: 451, enhanced: '4.3.0', text: 'Try again later', times: 2 }])
        const errors = await deliver(login, 5)
        expect(errors.map(({ responseCode, response }) => [responseCode, response])).to.deep.equal(Array(2).fill([451, '451 4.3.0 Try again later']))
        await app.settled()
        expect(await codes(login.id)).to.deep.equal(['end 250', 'rcpt 451', 'rcpt 451'])
      })

      it('reports a permanent code at each stage, with its command', async () => {
        for (const [at, code, command, kind] of [
          ['auth', 535, 'AUTH PLAIN', 'EAUTH'], ['mail', 550, 'MAIL FROM', 'EENVELOPE'], ['rcpt', 550, 'RCPT TO', 'EENVELOPE'],
          ['data', 554, 'DATA', 'EENVELOPE'], ['end', 552, 'DATA', 'EMESSAGE'],
        ] as const) {
          const login = await newLogin()
          await set(login.id, [{ at, code }])
          const [error] = await deliver(login, 1)
          expect([error!.responseCode, error!.command, error!.code], at).to.deep.equal([code, command, kind])
          expect(await codes(login.id)).to.deep.equal([`${at} ${code}`])
        }
      })

      it('reports a dropped connection, and connects again', async () => {
        for (const at of ['auth', 'mail', 'rcpt', 'data', 'end']) {
          const login = await newLogin()
          await set(login.id, [{ at, drop: true }])
          const errors = await deliver(login, 2)
          expect(errors.map(({ responseCode }) => responseCode), at).to.deep.equal([undefined])
          await app.settled()
          expect(await codes(login.id)).to.deep.equal(['end 250', `${at} null`])
        }
      })

      it('delivers to the recipients that are accepted', async () => {
        const login = await newLogin()
        await set(login.id, [{ at: 'rcpt', code: 550 }])
        expect(await deliver(login, 1, { to: ['no@customer.example', 'yes@customer.example'] })).to.deep.equal([])
        await app.settled()
        expect((await app.onlyEmail(login.id))).to.deep.include({ recipients: ['yes@customer.example'] })
      })
    })
  })

  describe('for other mail', () => {
    it('POST /test/emails answers 409 with the code and the text', async () => {
      const key = await app.newKey({ isTest: true })
      const { id, address } = (await app.api('POST', '/addresses', { key, body: {} })).body.data
      await put(id, [{ at: 'end', code: 451, text: 'Later' }, { at: 'data', drop: true }, { at: 'rcpt', delayMs: 60_000 }], { key })
      const send = () => app.api('POST', '/test/emails', { key, body: { to: address, text: 'hi' } })
      const refused = [await send(), await send()]
      expect(refused.map(({ status, body }) => [status, body.code, body.error])).to.deep.equal([
        [409, 'CONFLICT', 'An SMTP fault of the address drops the connection at data. Send the email again, or end the faults.'],
        [409, 'CONFLICT', 'An SMTP fault of the address answers 451 4.0.0 Later at end. Send the email again, or end the faults.'],
      ])
      expect((await send()).status).to.equal(201)
      const { body } = await app.api('GET', `/addresses/${id}/activity`, { key })
      const shown = body.data.map(({ code, client }: Record<string, unknown>) => [code, client])
      expect(shown).to.deep.equal([[250, null], [451, null], [null, null]])
    })

    it('mail from an address of this server is tried again, or fails', async () => {
      await using own = await openTestApp()
      const [sender, receiver] = [await own.newAddress(), await own.newAddress()]
      const steps = [{ at: 'rcpt', code: 451 }, { at: 'end', code: 554 }]
      await own.api('PUT', `/addresses/${receiver.id}/smtp-faults`, { body: { steps } })
      const body = { fromAddressId: sender.id, to: receiver.address, subject: 'hi', body: 'hi' }
      const { body: { data: { id } } } = await own.api('POST', '/emails', { body })
      const status = async (wanted: string) => {
        for (;;) {
          const { body: { data } } = await own.api('GET', `/emails/${id}`)
          if (data.status === wanted) return data.failureReason as string
          await new Promise(setImmediate)
        }
      }
      expect(await status('deferred')).to.include('451 4.0.0 A fault on purpose at rcpt')
      await own.advance({ hours: 1 })
      expect(await status('failed')).to.include('554 5.0.0 A fault on purpose at end')
      await own.api('POST', '/emails', { body })
      await own.settled()
      await own.onlyEmail(receiver.id)
    })
  })

  describe('PUT /addresses/{id}/smtp-faults', () => {
    for (const [title, step, path, message] of [
      ['a step without a fault', { at: 'rcpt' }, 'body.steps.0.at', 'needs a fault beside it: code, delayMs, drop or kind'],
      ['an unknown stage', { at: 'quit', code: 450 }, 'body.steps.0.at', 'must be one of auth, mail, rcpt, data, end'],
      ['a code of success', { at: 'rcpt', code: 250 }, 'body.steps.0.code', 'must be >= 400'],
      ['a code beyond 599', { at: 'rcpt', code: 600 }, 'body.steps.0.code', 'must be <= 599'],
      ['an enhanced code of another class', { at: 'rcpt', code: 451, enhanced: '5.1.1' }, 'body.steps.0.enhanced', 'must begin with 4, as the code 451 does'],
      ['a text with a line break', { at: 'rcpt', code: 451, text: 'a\r\n250 b' }, 'body.steps.0.text', 'does not fit: One line of printable ASCII characters, the text of the reply'],
      ['a text without a code', { at: 'rcpt', delayMs: 1, text: 'a' }, 'body.steps.0.text', 'needs a code'],
      ['an enhanced code without a code', { at: 'rcpt', drop: true, enhanced: '4.0.0' }, 'body.steps.0.enhanced', 'needs a code'],
      ['a code beside drop', { at: 'rcpt', drop: true, code: 421 }, 'body.steps.0.drop', 'cannot stand beside code: a connection is dropped without a reply'],
      ['a delay of more than a minute', { at: 'rcpt', delayMs: 60_001 }, 'body.steps.0.delayMs', 'must be <= 60000'],
      ['a rule with a code', { at: 'rcpt', kind: 'greylist', code: 451 }, 'body.steps.0.code', 'cannot stand beside kind; leave it out'],
      ['a rule at another stage', { at: 'end', kind: 'greylist' }, 'body.steps.0.at', 'must be rcpt for the kind greylist'],
      ['a rate without a number', { at: 'rcpt', kind: 'rate' }, 'body.steps.0.times', 'is required for the kind rate: the recipients in a minute'],
      ['a greylist with a number', { at: 'rcpt', kind: 'greylist', times: 1 }, 'body.steps.0.times', 'has no meaning for the kind greylist; leave it out'],
      ['an unknown member', { at: 'rcpt', code: 451, status: 1 }, 'body.steps.0.status', 'is not known; leave it out'],
    ] as const) {
      it(`refuses ${title}`, async () => {
        const { id } = await app.newAddress()
        const { status, body } = await put(id, [step])
        expect([status, body.code, body.details[0]]).to.deep.equal([400, 'INVALID_REQUEST', { path, message }])
        expect(await left(id)).to.deep.equal([])
      })
    }

    it('refuses a second step of a kind', async () => {
      const { id } = await app.newAddress()
      const [greylist, rate] = [{ at: 'rcpt', kind: 'greylist' }, { at: 'rcpt', kind: 'rate', times: 2 }]
      const { status, body } = await put(id, [greylist, rate, { at: 'rcpt', code: 451 }, rate])
      const message = 'is that of steps.1 already; an address has one step of a kind'
      expect([status, body.code, body.details]).to.deep.equal([400, 'INVALID_REQUEST', [{ path: 'body.steps.3.kind', message }]])
      await set(id, [greylist, rate])
    })

    it('takes 50 steps, and refuses 51', async () => {
      const { id } = await app.newAddress()
      const steps = (count: number) => Array.from({ length: count }, () => ({ at: 'rcpt', code: 451 }))
      expect((await put(id, steps(50))).body.data.steps).to.have.length(50)
      expect((await put(id, steps(51))).status).to.equal(400)
      expect((await put(id, [])).body).to.deep.equal({ data: { steps: [] } })
    })
  })
})
