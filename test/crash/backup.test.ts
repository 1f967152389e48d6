import { existsSync, readdirSync, statSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { randomInt } from 'node:crypto'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { mayfly, start } from '../cli/run.ts'
import { hasGrown } from '../support/grown.ts'
import { fillDatabase, isIntact } from '../support/store/database-files.ts'
import { waitForFile } from '../support/wait-for-file.ts'
import { backupRounds } from './backup-rounds.ts'
import { sendMails } from './send-mails.ts'
import { newAddress, startServer } from './server.ts'

const filledBytes = 64 * 1024 * 1024

describe('Back-ups', function () {
  this.timeout(600_000)
  let folder: string
  beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'mayfly-backups-')) })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('have every mail that was answered 250 before they began, 3 times while 20 connections deliver mail', async () => {
    const report = await backupRounds(3, folder)
    console.log(`      ${report.accepted} mails, back-ups in ${report.tookMs.join(', ')} ms`)
    expect(report.accepted).to.be.greaterThan(100)
    expect(report.lost).to.deep.equal([])
    expect(report).to.include({ damaged: 0, copies: 3, started: 0 })
  })

  it('a copy of the database file alone is refused at any moment, while the database is opened after each of 5 kills', async () => {
    const database = join(folder, 'mayfly.db')
    const accepted = new Set<string>()
    let key = ''
    let recipient = ''
    for (let kill = 0; kill < 5; kill++) {
      const server = await startServer(folder)
      key ||= server.key
      recipient ||= (await newAddress(server.url, key)).address
      const load = Promise.all(Array.from({ length: 4 }, (_, connection) => sendMails({
        port: server.smtpPort, recipient, name: `mail ${kill}-${connection}`, bytes: () => 200_000, mails: Infinity, accepted,
      })))
      await hasGrown(accepted, randomInt(30), 10_000)
      await copyFile(database, join(folder, `copy-${kill}.db`))
      server.child.kill('SIGKILL')
      await Promise.all([server.exited, load])
    }
    const copies = readdirSync(folder).filter((name) => name.startsWith('copy-'))
    expect(copies).to.have.length(5)
    const outcomes = await Promise.all(copies.map((name) => mayfly(['serve'], { MAYFLY_DATABASE: join(folder, name) })))
    for (const { code, stderr } of outcomes) {
      expect([code, stderr]).to.match(/^1,mayfly: MAYFLY_DATABASE: \S+ is a copy without its log/)
    }
    const server = await startServer(folder)
    expect(server.key).to.equal('')
    server.child.kill('SIGTERM')
    await server.exited
    expect(isIntact(database)).to.equal(true)
  })

  it('a back-up or a restore that is killed at any moment leaves the old file or the new one, and the next one cleans up', async () => {
    const database = join(folder, 'mayfly.db')
    const [file, restored] = [join(folder, 'backup.db'), join(folder, 'restored', 'mayfly.db')]
    await mayfly(['account', 'create', '--email', 'ada@example.org', '--plan', 'business'], { MAYFLY_DATABASE: database })
    fillDatabase(database, filledBytes)
    const variables = (of: string) => ({ MAYFLY_DATABASE: of, MAYFLY_MIN_FREE_BYTES: '0' })
    const kills = { backups: 0, restores: 0 }
    for (const signal of ['SIGKILL', 'SIGTERM', 'SIGKILL', 'SIGTERM', 'SIGKILL'] as const) {
      await using running = start(['backup', file, '--force'], variables(database))
      const ofThis = `-unfinished-${running.child.pid}`
      const minBytes = randomInt(filledBytes / 2)
      await waitForFile(folder, (name, bytes) => name.endsWith(ofThis) && bytes >= minBytes, running.ended)
      if ((await running.stop(signal)).code !== 0) kills.backups++
      if (existsSync(file)) expect(isIntact(file)).to.equal(true)
      if (signal === 'SIGTERM') expect(unfinished(folder).filter((name) => name.includes(ofThis))).to.deep.equal([])
    }
    expect((await mayfly(['backup', file, '--force'], variables(database))).code).to.equal(0)
    expect(unfinished(folder)).to.deep.equal([])

    expect((await mayfly(['restore', file], variables(restored))).code).to.equal(0)
    for (const moment of ['-restoring', '-replaced-', '-restoring', '-replaced-', '-restoring']) {
      await using running = start(['restore', file, '--force'], variables(restored))
      await waitForFile(dirname(restored), (name) => name.includes(moment), running.ended)
      if ((await running.stop('SIGKILL')).code !== 0) kills.restores++
      expect((await mayfly(['account', 'list'], variables(restored))).stdout).to.include('ada@example.org')
      expect((await mayfly(['restore', file, '--force'], variables(restored))).code).to.equal(0)
      const others = filesIn(dirname(restored)).filter((name) => !/\/mayfly\.db(-server)?$/.test(name))
      for (const name of others) {
        expect([name.includes('-replaced-'), statSync(name).nlink], name).to.deep.equal([true, 1])
        await rm(name)
      }
    }
    console.log(`      ${kills.backups} of 5 back-ups and ${kills.restores} of 5 restores were killed before their end`)
    expect(Math.min(...Object.values(kills))).to.be.greaterThan(0)
  })
})

const filesIn = (folder: string) => readdirSync(folder).map((name) => join(folder, name))
const unfinished = (folder: string) => readdirSync(folder).filter((name) => name.includes('-unfinished-'))
