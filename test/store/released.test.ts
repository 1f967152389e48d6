import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { expect } from 'chai'
import { keepReleasedDatabase } from '../../build/released-database.ts'
import { systemClock } from '../../server/clock.ts'
import { restore } from '../../server/store/copies.ts'
import { openDatabase } from '../../server/store/database.ts'
import { openTestApp } from '../support/app.ts'
import { testClock } from '../support/clock.ts'

/** An upgrade may come years after the release. */
const laterMs = 3 * 365 * 86_400_000
const maxRetentionSeconds = '3153600000'

const released = fileURLToPath(new URL('released/', import.meta.url))
const versions = readdirSync(released).map((name) => basename(name, '.db.gz'))

describe('Upgrade: back-ups of released versions', function () {
  let folder: string
  beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'mayfly-released-')) })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  /** Restores the back-up of a version. @returns the file */
  function restoreVersion(version: string, from = released) {
    const [file, database] = [join(folder, 'backup.db'), join(folder, 'mayfly.db')]
    writeFileSync(file, gunzipSync(readFileSync(join(from, `${version}.db.gz`))))
    restore(file, database, { force: false, withoutLog: false, stamp: '' })
    return database
  }

  async function schemaOf(file: string) {
    await (await openDatabase(file, systemClock)).close()
    const sqlite = new Sqlite(file, { readonly: true })
    const schema = sqlite.prepare("select name, sql from sqlite_master where name not like 'sqlite_%' order by name").all()
    sqlite.close()
    return schema
  }

  async function readMail(database: string) {
    await using app = await openTestApp({
      database, clock: testClock(Date.now() + laterMs), env: { MAYFLY_RETENTION_SECONDS: maxRetentionSeconds },
    })
    const key = await app.newKey({ account: 'team@released.example' })
    const read = async (path: string) => {
      const { status, body } = await app.api('GET', path, { key })
      expect(status, path).to.equal(200)
      return body
    }
    const { data } = await read('/emails')
    expect(data.map(({ subject }: { subject: string }) => subject).sort()).to.deep.equal(['A long mail', 'A reply', 'Your code'])
    const id = (subject: string) => data.find((email: { subject: string }) => email.subject === subject).id as string
    const { data: email } = await read(`/emails/${id('Your code')}`)
    expect(email).to.deep.include({ codes: ['482913'], bodyText: 'Your code is 482913.' })
    expect(email.bodyHtml).to.include('<b>482913</b>')
    expect(String(await read(`/emails/${email.id}/attachments/${email.attachments[0].id}`))).to.equal('These are the terms.')
    expect(String(await read(`/emails/${id('A long mail')}/raw`)).length).to.be.greaterThan(2_000_000)
    expect((await read('/emails?q=482913')).total).to.equal(1)
    expect((await read('/webhooks')).data).to.have.length(1)
    const { address } = (await app.api('POST', '/addresses', { key, body: {} })).body.data
    await app.send({ to: address, subject: 'After the upgrade', text: 'new' })
    await app.settled()
    expect((await read('/emails')).data[0].subject).to.equal('After the upgrade')
  }

  for (const version of versions) {
    it(`one of ${version} is restored, migrated to the schema of a new database, and its mail is read`, async () => {
      const database = restoreVersion(version)
      expect(await schemaOf(database)).to.deep.equal(await schemaOf(join(folder, 'new.db')))
      await readMail(database)
    })
  }

  it('one of this version is made by npm run node -- build/version.ts, and has the same mail', async () => {
    const kept = join(folder, 'released')
    await keepReleasedDatabase('9.9.9', kept)
    expect(readdirSync(kept)).to.deep.equal(['9.9.9.db.gz'])
    await readMail(restoreVersion('9.9.9', kept))
  })
})
