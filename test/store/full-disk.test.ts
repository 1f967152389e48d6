import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openSession, playSession } from '../support/play-session.ts'
import { delivery, hello } from '../smtp/mailbox.ts'

const full = { error: 'This server cannot store anything at the moment. Try again later.', code: 'STORAGE_FULL' }
const long = 'long\r\n'.repeat(80_000)

/** Asks for the same until it is refused. @returns the answer to that */
async function untilRefused(app: TestApp, method: string, path: string, body: unknown) {
  for (;;) {
    const answer = await app.api(method, path, { body })
    if (answer.status >= 400) return answer
  }
}

const offer = async (app: TestApp, address: string, text: string) => {
  await using session = await openSession(app.smtp)
  const replies = await session.play([hello, ...delivery(address).slice(0, 3), [`${text}\r\n.`, 452], ['NOOP', 250]])
  return replies.at(-2)
}

describe('when nothing more can be stored', () => {
  it('507 STORAGE_FULL: a change is refused, a mail is answered 452, what is there can be read, and all goes on when there is room', async () => {
    await using app = await openTestApp()
    const { writer } = app.app.db.engine
    const { id, address } = await app.newAddress({ alias: 'here' })
    await playSession(app.smtp, [hello, ...delivery(address)])
    const { id: emailId } = await app.onlyEmail(id)
    const [{ page_count: pages }] = writer.execute('pragma page_count', []).rows as unknown as [{ page_count: number }]
    writer.execute(`pragma max_page_count = ${pages}`, [])

    const refused = await untilRefused(app, 'POST', '/addresses', {})
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
      const error = await writeFile(filler, Buffer.alloc(8 * 1024 * 1024)).catch((error: NodeJS.ErrnoException) => error.code)
      expect(error).to.equal('ENOSPC')

      const requests: [string, string, unknown][] = [['PATCH', `/emails/${email.id}`, { isRead: true }], ['POST', '/addresses', {}]]
      for (const [method, path, body] of requests) {
        const { status, body: answer } = await untilRefused(app, method, path, body)
        expect([status, answer], `${method} ${path}`).to.deep.equal([507, full])
      }
      for (const text of ['short'.repeat(9_000), long]) {
        expect(await offer(app, address, text)).to.equal('452 4.3.1 No room for mail at the moment, try again later')
      }
      expect((await app.onlyEmail(id)).id).to.equal(email.id)

      await rm(filler)
      expect((await app.api('PATCH', `/emails/${email.id}`, { body: { isRead: true } })).status).to.equal(200)
      await playSession(app.smtp, [hello, ...delivery(address, 'short\r\n'), ...delivery(address, long)])
      await app.settled()
      expect((await app.api('GET', '/emails')).body.total).to.equal(3)
    } finally {
      execFileSync('umount', ['--lazy', folder])
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
