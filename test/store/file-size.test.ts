import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import { sendRaw } from '../support/send-raw.ts'
import { rawSql } from '../support/store/raw-sql.ts'

const megabyte = 1024 * 1024

describe('Database file', () => {
  it('shrinks the file after mail is removed, down to a reserve of free pages for new mail', async function () {
    await using app = await openTestApp()
    const { engine } = app.app.db
    const { id, address } = await app.newAddress()
    const source = `Subject: long\r\n\r\n${'x'.repeat(998).concat('\r\n').repeat(10_000)}`
    for (let mail = 0; mail < 8; mail++) await sendRaw(app.smtp.port, address, source)
    await app.settled()
    engine.file!.checkpoint()
    const before = engine.file!.bytes().data
    expect(before).to.be.greaterThan(120 * megabyte)

    expect((await app.api('DELETE', `/addresses/${id}`)).status).to.equal(200)
    await app.settled()
    engine.file!.checkpoint()
    console.log(`      ${Math.round(before / megabyte)} MB, then ${Math.round(engine.file!.bytes().data / megabyte)} MB`)
    expect(engine.file!.bytes().data).to.be.within(64 * megabyte, 80 * megabyte)
    expect(await rawSql(engine.writer, 'pragma integrity_check')).to.deep.equal([{ integrity_check: 'ok' }])

    const other = await app.newAddress()
    await sendRaw(app.smtp.port, other.address, source)
    await app.settled()
    expect((await app.onlyEmail(other.id)).subject).to.equal('long')
  })
})
