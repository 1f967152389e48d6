import { expect } from 'chai'
import { shareTestApp } from '../support/app.ts'
import { env, newInbox, order } from './compatible-world.ts'

describe('API of MailDev', () => {
  const openApp = shareTestApp({ env })

  async function open() {
    const app = await openApp()
    return { app, inbox: await newInbox(app) }
  }

  for (const root of ['maildev/api', 'maildev']) {
    it(`lists, shows, marks and deletes mail below /${root}`, async () => {
      const { inbox } = await open()
      await inbox.send(order)
      await inbox.send({ subject: 'Second', text: 'two' })
      const { body: emails } = await inbox.call(`${root}/email`)
      expect(emails.map(({ subject, read }: any) => [subject, read])).to.deep.equal([['Your order', false], ['Second', false]])
      const { body: email } = await inbox.call(`${root}/email/${emails[0].id}`)
      expect(email).to.deep.include({
        read: true, subject: 'Your order', html: order.html, text: order.text,
        from: [{ address: 'app@shop.example', name: 'Shop' }], to: [{ address: 'ada@customer.example', name: 'Ada' }],
        cc: [{ address: 'team@shop.example', name: '' }], calculatedBcc: [{ address: 'audit@hidden.example', name: '' }],
      })
      expect(email.headers).to.include({ subject: 'Your order' })
      expect(email.envelope.to.map(({ address }: any) => address)).to.deep.equal(['ada@customer.example', 'team@shop.example', 'audit@hidden.example'])
      const invoice = email.attachments.find(({ filename }: any) => filename === 'invoice.pdf')
      expect((await inbox.call(`${root}/email/${email.id}/attachment/${invoice.generatedFileName}`)).text).to.equal('a pdf')
      const logo = email.attachments.find(({ contentId }: any) => contentId === 'logo')
      expect((await inbox.call(`${root}/email/${email.id}/html`)).text).to.include(`/attachment/${logo.generatedFileName}"`)
      for (const path of ['source', 'download']) expect((await inbox.call(`${root}/email/${email.id}/${path}`)).text).to.include('Subject: Your order')
      expect((await inbox.call(`${root}/email/read-all`, { method: 'PATCH' })).body).to.equal(1)
      const { body: deleted } = await inbox.call(`${root}/email/delete`, { method: 'POST', body: { ids: [emails[0].id, 'unknown'] } })
      expect(deleted).to.deep.equal({ deleted: [emails[0].id], notFound: ['unknown'] })
      expect((await inbox.call(`${root}/email/${emails[0].id}`)).body).to.deep.equal({ error: 'There is no message with this ID in the mail of this address.' })
      expect((await inbox.call(`${root}/email/${emails[1].id}`, { method: 'DELETE' })).body).to.equal(true)
      expect((await inbox.call(`${root}/email/all`, { method: 'DELETE' })).body).to.equal(true)
      expect((await inbox.call(`${root}/email`)).body).to.deep.equal([])
      expect((await inbox.call(`${root}/healthz`)).body).to.equal(true)
      expect((await inbox.call(`${root}/config`)).body).to.have.keys(['version', 'smtpPort', 'isOutgoingEnabled', 'outgoingHost'])
      expect((await inbox.call(`${root}/email/${emails[1].id}/relay`, { method: 'POST' })).status).to.equal(404)
    })
  }

  it('filters by members, and lists by pages and as summaries', async () => {
    const { inbox } = await open()
    for (const subject of ['one', 'two', 'three']) await inbox.send({ subject, text: `text ${subject}`, to: `${subject}@customer.example` })
    const subjects = async (query: string) => (await inbox.call(`maildev/email${query}`)).body.map(({ subject }: any) => subject)
    expect(await subjects('?subject=two')).to.deep.equal(['two'])
    expect(await subjects('?to.address=one@customer.example')).to.deep.equal(['one'])
    expect(await subjects('?from.address=other@shop.example')).to.deep.equal([])
    expect(await subjects('?skip=1&limit=1')).to.deep.equal(['two'])
    expect(await subjects('?skip=2&limit=9')).to.deep.equal(['three'])
    expect(await subjects('?skip=3')).to.deep.equal([])
    expect(await subjects('?sort=desc&limit=2')).to.deep.equal(['three', 'two'])
    const { items, ...page } = (await inbox.call('maildev/api/email/summary?limit=2')).body
    expect(page).to.deep.equal({ total: 3, storeTotal: 3, unread: 3, skip: 0, limit: 2 })
    expect(items.map(({ subject, preview }: any) => [subject, preview])).to.deep.equal([['three', 'text three'], ['two', 'text two']])
    await inbox.call(`maildev/email/${items[0].id}`)
    expect((await inbox.call('maildev/api/email/summary?unread=true&sort=asc')).body).to.deep.include({ total: 2, storeTotal: 3, unread: 2 })
    expect((await inbox.call('maildev/api/email/summary?search=text one')).body.items.map(({ subject }: any) => subject)).to.deep.equal(['one'])
  })
})
