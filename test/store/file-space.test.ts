import { expect } from 'chai'
import { stat } from 'node:fs/promises'
import { openTestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import { oldMails } from '../support/store/old-mails.ts'
import { countRows, rowsOf } from '../support/store/rows.ts'

describe('Database file', () => {
  it('size and that of its log are metrics', async () => {
    await using app = await openTestApp()
    const { text } = await rawRequest(app.url, { path: '/metrics' })
    const bytes = [...text.matchAll(/^mayfly_database_bytes\{file="(data|log)"\} (\d+)$/gm)]
    expect(bytes.map(([, file]) => file)).to.deep.equal(['data', 'log'])
    expect(bytes.reduce((sum, [,, value]) => sum + Number(value), 0)).to.be.above(100_000)
  })

  it('space of 50,000 old emails is used again after their removal, during which other requests are answered', async function () {
    await using app = await openTestApp()
    const { id } = await app.newAddress()
    const fill = (at: number) => oldMails(app, id, { count: 50_000, at })
    const size = async () => (await stat(app.app.config.database)).size
    await fill(app.app.clock.now())
    app.app.db.engine.file!.checkpoint()
    const full = await size()
    await app.advance({ days: 6, hours: 23 })
    let isOver = false
    let answered = 0
    const others = (async () => {
      while (!isOver) {
        expect((await app.api('GET', '/addresses')).status).to.equal(200)
        if (answered++ < 5) await app.send({ to: (await app.newAddress()).address, subject: 'meanwhile' })
        await new Promise((resolve) => setTimeout(resolve, 5)) // leaves the processor to the removal
      }
    })()
    await app.advance({ hours: 1 })
    isOver = true
    await others
    expect(answered).to.be.greaterThan(50)
    const old = app.app.clock.now() - 7 * 86_400_000
    expect((await rowsOf(app, 'emails')).filter(({ receivedAt }) => receivedAt <= old)).to.deep.equal([])
    expect((await app.api('GET', `/emails?address_id=${id}`)).body).to.deep.include({ data: [], total: 0 })
    expect(await countRows(app, 'discarded_messages')).to.equal(0)
    // the log is short again, though it took all of them in one go
    expect((await stat(`${app.app.config.database}-wal`)).size).to.be.lessThan(128 * 1024 * 1024)
    app.app.db.engine.file!.checkpoint()
    expect(await size()).to.be.lessThan(full / 2)
    await fill(app.app.clock.now())
    app.app.db.engine.file!.checkpoint()
    expect(await size()).to.be.lessThan(full * 1.05)
  })
})
