import { expect } from 'chai'
import { openTestApp, shareTestApp } from '../support/app.ts'
import { openSession, playSession } from '../support/play-session.ts'
import { rowsOf } from '../support/store/rows.ts'
import { delivery, hello, rawMails } from './mailbox.ts'

const mail = (bytes: number) => `${'x'.repeat(bytes - 2)}\r\n`
const full = '452 4.2.2 The mailbox is full, try again later'

describe('Stored bytes of an account', () => {
  const newAccount = shareTestApp({ env: { MAYFLY_MAX_ACCOUNT_BYTES: '3000' } })

  it('are limited: a mail beyond the limit is refused at RCPT when its size is declared, else at its end', async () => {
    const app = await newAccount()
    const [first, second] = [await app.newAddress(), await app.newAddress()]
    await playSession(app.smtp, [hello, ...delivery(first.address, mail(2000))])
    await using session = await openSession(app.smtp)
    await session.play([hello, ...delivery(second.address).slice(0, 3)])
    expect(await session.play([[`${mail(1500)}.`, 452]])).to.deep.equal([full])
    const announced = await session.play([['MAIL FROM:<a@example.org> SIZE=1500', 250], [`RCPT TO:<${second.address}>`, 452], ['RSET', 250]])
    expect(announced[1]).to.equal(full)
    await session.play(delivery(second.address, mail(1000)))
    await session.play([['MAIL FROM:<a@example.org>', 250], [`RCPT TO:<${first.address}>`, 250], ['RSET', 250]])
    expect(await rawMails(app, second.id)).to.have.length(1)
  })

  it('include accepted mail that is not published yet, and decrease when mail is removed', async function () {
    await using app = await openTestApp({ env: { MAYFLY_MAX_ACCOUNT_BYTES: '3000000' } })
    const [first, second] = [await app.newAddress(), await app.newAddress()]
    await playSession(app.smtp, [hello, ...delivery(first.address, `${mail(1000)}`.repeat(2000))])
    await playSession(app.smtp, [hello, ...delivery(second.address).slice(0, 3), [`${mail(1000).repeat(2000)}.`, 452]])
    await app.settled()
    await app.api('DELETE', `/addresses/${first.id}`)
    await app.settled()
    await playSession(app.smtp, [hello, ...delivery(second.address, mail(1000).repeat(2000))])
    await app.settled()
    expect((await rowsOf(app, 'account_bytes')).map(({ bytes }) => bytes)).to.deep.equal([2_000_000])
  })

  it('limit mail that the account sends, and reports on its mail, too', async () => {
    const app = await newAccount()
    const { id, address } = await app.newAddress()
    const [received] = await playSession(app.smtp, [hello, ...delivery(address, mail(2000))]).then(() => app.listEmails())
    const send = (bytes: number) => app.api('POST', '/emails', { body: { fromAddressId: id, to: 'ada@example.com', subject: 'x', body: 'x'.repeat(bytes) } })
    expect((await send(100)).status).to.equal(202)
    await app.settled()
    const refused = await send(1500)
    expect([refused.status, refused.body.code]).to.deep.equal([507, 'STORAGE_FULL'])
    for (const report of ['bounce', 'complain']) {
      const { status, body } = await app.api('POST', `/emails/${received!.id}/${report}`, { body: {} })
      expect([status, body.code], report).to.deep.equal([507, 'STORAGE_FULL'])
    }
    expect(await app.listEmails()).to.have.length(2)
  })

  it('of one account do not limit another account', async () => {
    const app = await newAccount()
    const mine = await app.newAddress()
    const { body } = await app.api('POST', '/addresses', { body: {}, key: await app.newKey() })
    await playSession(app.smtp, [hello, ...delivery(mine.address, mail(3000))])
    await playSession(app.smtp, [hello, ...delivery(body.data.address, mail(3000))])
  })
})
