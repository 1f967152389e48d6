import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, statfsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openSession, playSession } from '../support/play-session.ts'
import { delivery, hello } from '../smtp/mailbox.ts'

const full = { error: 'This server cannot store anything at the moment. Try again later.', code: 'STORAGE_FULL' }
const long = 'long\r\n'.repeat(80_000)

/** Creates addresses until one is refused. @returns the answer to that one */
async function createUntilRefused(app: TestApp) {
  for (;;) {
    const answer = await app.api('POST', '/addresses', { body: { alias: `a${'-'.repeat(90)}${app.app.db.newId().slice(-8)}` } })
    if (answer.status !== 201) return answer
  }
}

const offer = async (app: TestApp, address: string, text: string) => {
  await using session = await openSession(app.smtp)
  const replies = await session.play([hello, ...delivery(address).slice(0, 3), [`${text}\r\n.`, 452], ['NOOP', 250]])
  return replies.at(-2)
}

describe('when nothing more can be stored', () => {
  it('a change is answered 507 and a mail 452, what is there can be read, and all goes on when there is room', async () => {
    await using app = await openTestApp()
    const { writer } = app.app.db.engine
    const { id, address } = await app.newAddress({ alias: 'here' })
    await playSession(app.smtp, [hello, ...delivery(address)])
    const { id: emailId } = await app.onlyEmail(id)
    const [{ page_count: pages }] = writer.execute('pragma page_count', []).rows as unknown as [{ page_count: number }]
    writer.execute(`pragma max_page_count = ${pages}`, [])

    const refused = await createUntilRefused(app)
    expect([refused.status, refused.body]).to.deep.equal([507, full])
    expect(refused.headers.get('x-ratelimit-limit')).to.equal('1000000')
    expect(await offer(app, address, long)).to.equal('452 4.3.1 No room for mail at the moment, try again later')
    const before = (await app.api('GET', '/addresses')).body.data.total
    expect((await app.api('GET', `/emails/${emailId}`)).status).to.equal(200)

    writer.execute(`pragma max_page_count = ${pages * 100}`, [])
    expect((await app.api('POST', '/addresses', { body: {} })).status).to.equal(201)
    expect((await app.api('GET', '/addresses')).body.data.total).to.equal(before + 1)
    await playSession(app.smtp, [hello, ...delivery(address, long)])
    await app.settled()
    expect((await app.listEmails()).map(({ id }) => id).slice(1)).to.deep.equal([emailId])
  })

  it('because the disk is full, the same holds for every kind of change', async function () {
    const folder = mountSmallDisk()
    if (!folder) return this.skip()
    const filler = join(folder, 'filler')
    try {
      await using app = await openTestApp({ database: join(folder, 'mayfly.db') })
      const { id, address } = await app.newAddress({ alias: 'here' })
      await playSession(app.smtp, [hello, ...delivery(address)])
      const email = await app.onlyEmail(id)
      await writeFile(filler, Buffer.alloc(roomIn(folder) - 8192))

      expect((await createUntilRefused(app)).body).to.deep.equal(full)
      for (const text of ['short'.repeat(9_000), long]) {
        expect(await offer(app, address, text)).to.equal('452 4.3.1 No room for mail at the moment, try again later')
      }
      const requests: [string, string, unknown][] = [['PATCH', `/emails/${email.id}`, { isRead: true }], ['POST', '/addresses', {}]]
      for (const [method, path, body] of requests) {
        const answer = await app.api(method, path, { body })
        expect([answer.status, answer.body], `${method} ${path}`).to.deep.equal([507, full])
      }
      expect((await app.onlyEmail(id)).isRead).to.equal(false)

      await rm(filler)
      expect((await app.api('PATCH', `/emails/${email.id}`, { body: { isRead: true } })).status).to.equal(200)
      await playSession(app.smtp, [hello, ...delivery(address, 'short\r\n'), ...delivery(address, long)])
      await app.settled()
      expect((await app.api('GET', '/emails')).body.total).to.equal(3)
    } finally {
      execFileSync('umount', [folder])
      rmdirSync(folder)
    }
  })
})

/** A file system of 4 MB; undefined where this process may not make one. */
function mountSmallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    rmdirSync(folder)
    return undefined
  }
}

function roomIn(folder: string) {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
