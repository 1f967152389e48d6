import { expect } from 'chai'
import { sendRaw } from '../support/send-raw.ts'
import { hostileMails } from '../support/hostile-mails.ts'
import { openTestApp } from '../support/app.ts'

describe('Hostile mail: 25 mails that arrive together', () => {
  it('are all published with their exact source, while other requests are answered', async function () {
    await using app = await openTestApp({ isRealTime: true })
    const mails = hostileMails()
    expect(mails).to.have.length(25)
    const address = await app.newAddress()

    let isOver = false
    let answered = 0
    const others = (async () => {
      while (!isOver) {
        expect((await app.api('GET', '/addresses?limit=20')).status).to.equal(200)
        answered++
        await new Promise((resolve) => setTimeout(resolve, 5)) // a core for the mails
      }
    })()
    await Promise.all(mails.map(({ source }) => sendRaw(app.smtp.port, address.address, source)))
    await app.settled()
    isOver = true
    await others

    expect(answered).to.be.greaterThan(100)
    const listed = await app.listEmails({ address_id: address.id, limit: '100' })
    expect(listed).to.have.length(25)
    expect(listed.every(({ bodyHtml, bodyText }) => bodyHtml.length <= 1_000 && bodyText.length <= 1_000)).to.equal(true)
    const sources = new Set(mails.map(({ source }) => Buffer.from(source.replaceAll(/^\.\./gm, '.'))))
    for (const { id } of listed) {
      const { status, body } = await app.api<Buffer>('GET', `/emails/${id}/raw`)
      expect(status).to.equal(200)
      const sent = [...sources].find((source) => source.equals(body))
      expect(sent && sources.delete(sent), 'a source that was sent').to.equal(true)
      expect((await app.api('GET', `/emails/${id}`)).status).to.equal(200)
    }
  })
})
