import { expect } from 'chai'
import { mkdir, mkdtemp, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import pino from 'pino'
import type { SmtpLogin } from '../../server/contract/types.gen.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { newPair, writePair } from '../support/certificates.ts'
import { testClock } from '../support/clock.ts'
import { openSession } from '../support/play-session.ts'
import type { SmtpTarget } from '../support/play-session.ts'
import { delivery, hello, shownCertificate } from './mailbox.ts'

const ports = { MAYFLY_SUBMISSION_PORT: '0', MAYFLY_SMTPS_PORT: '0' }

const targetsOf = ({ app: { smtp } }: TestApp): SmtpTarget[] => [
  { host: '127.0.0.1', port: smtp.port },
  { host: '127.0.0.1', port: smtp.submission!.port },
  { host: '127.0.0.1', port: smtp.smtps!.port, tls: {} },
]

const shownBy = async (target: SmtpTarget) => (await shownCertificate(target)).fingerprint256

describe('SMTP certificate files', () => {
  let folder: string
  let lines: { level: number, msg: string }[]
  const log = () => pino({ level: 'info' }, { write: (line) => { lines.push(JSON.parse(line)) } })
  const told = () => lines.filter(({ msg }) => msg.startsWith('MAYFLY_TLS')).map(({ msg }) => msg)
  beforeEach(async () => {
    lines = []
    folder = await mkdtemp(join(tmpdir(), 'mayfly-certificate-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('are replaced under load: all ports show the new one after 5 seconds, and no session is lost', async () => {
    const [first, ...next] = await Promise.all(Array.from({ length: 4 }, () => newPair()))
    // as a volume of Kubernetes: links to a file in a folder that is a link, too
    const use = async (pair: typeof first, name: string) => {
      await mkdir(join(folder, name))
      await writePair(join(folder, name), pair!)
      await symlink(name, join(folder, 'data.new'))
      await rename(join(folder, 'data.new'), join(folder, 'data'))
    }
    await use(first, 'first')
    const files = await writePair(folder, first!)
    for (const [path, name] of [[files.MAYFLY_TLS_CERT, 'cert.pem'], [files.MAYFLY_TLS_KEY, 'key.pem']] as const) {
      await rm(path)
      await symlink(`data/${name}`, path)
    }
    const clock = testClock()
    await using app = await openTestApp({ clock, env: { ...ports, ...files }, log: log() })
    const { body: { data: { smtp: login, id } } } = await app.api('POST', '/addresses', { body: { smtpLogin: true } })
    const { username, password, address } = { ...login as SmtpLogin, address: (login as SmtpLogin).username }
    const targets = targetsOf(app)
    let isOver = false
    let mails = 0
    const load = async (target: SmtpTarget) => {
      await using session = await openSession(target)
      if (!target.tls) {
        await session.play([hello, ['STARTTLS', 220]])
        await session.startTls()
      }
      await session.play([hello, [`AUTH PLAIN ${Buffer.from(`\0${username}\0${password}`).toString('base64')}`, 235]])
      while (!isOver) {
        await session.play(delivery(address))
        mails++
        await setTimeout(50)
      }
      await session.play([['QUIT', 221]])
    }
    const sessions = Promise.all(Array.from({ length: 9 }, (_, i) => load(targets[i % targets.length]!)))
    const replaced = async (pair: typeof first, replace: () => Promise<unknown>) => {
      const [before, lines] = [mails, told().length]
      await replace()
      await clock.advance(5_000, async () => {})
      while (told().length === lines) await setImmediate()
      for (const target of targets) expect(await shownBy(target)).to.equal(pair!.fingerprint)
      while (mails < before + 50) await setImmediate()
    }
    await replaced(next[0], () => use(next[0], 'second'))
    await replaced(next[1], () => writePair(join(folder, 'second'), next[1]!))
    await replaced(next[2], async () => {
      await truncate(files.MAYFLY_TLS_CERT, 300)
      await writeFile(files.MAYFLY_TLS_KEY, next[2]!.key)
      await writeFile(files.MAYFLY_TLS_CERT, next[2]!.cert)
    })
    isOver = true
    await sessions
    await app.settled()
    expect((await app.api('GET', `/addresses/${id}`)).body.data.emailCount).to.equal(mails)
    expect(told()).to.have.length(3)
    for (const line of told()) expect(line).to.match(/^MAYFLY_TLS_CERT: a new certificate is served, which ends on \d{4}-\d\d-\d\d$/)
  })

  it('that cannot be used leave the one before in place; the log says so once, and whenever it is asked', async () => {
    const [first, second] = [await newPair(), await newPair()]
    const files = await writePair(folder, first)
    await using app = await openTestApp({ env: { ...ports, ...files }, log: log() })
    const targets = targetsOf(app)
    const expectProblem = async (problem: string) => {
      const end = told().length
      while (told().length === end) await app.advance({ seconds: 2 })
      for (let i = 0; i < 5; i++) await app.advance({ seconds: 2 })
      await app.app.smtp.reloadCertificate()
      const line = new RegExp(`^MAYFLY_TLS_CERT, MAYFLY_TLS_KEY: ${problem}; the server keeps the certificate that it has, which ends on `)
      for (const text of told().slice(end)) expect(text).to.match(line)
      expect(told().slice(end)).to.have.length(2)
      for (const target of targets) expect(await shownBy(target)).to.equal(first.fingerprint)
    }
    await writePair(folder, { cert: second.cert, key: first.key })
    await expectProblem('are not a certificate and its private key in PEM')
    await rm(files.MAYFLY_TLS_KEY)
    await expectProblem(`the file ${files.MAYFLY_TLS_KEY} cannot be read`)
    await writePair(folder, second)
    await app.app.smtp.reloadCertificate()
    for (const target of targets) expect(await shownBy(target)).to.equal(second.fingerprint)
    expect(told().at(-1)).to.match(/^MAYFLY_TLS_CERT: a new certificate is served/)
  })
})
