import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'

describe('Main scenario', () => {
  it('issues an address, receives a mail over SMTP and returns it with its attachment', async () => {
    await using app = await openTestApp()
    const address = await app.newAddress({ alias: 'Sign-Up' })
    expect(address.address).to.equal('sign-up@mail.localhost')

    const pdf = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256))
    await app.send({
      to: address.address,
      subject: 'Welcome to Käsehaus ✓',
      text: 'Your code is 482913.\n',
      html: '<p>Your code is <b>482913</b>. <a href="https://shop.example.org/confirm?t=1">Confirm</a></p>',
      attachments: [{ filename: 'terms.pdf', content: pdf, contentType: 'application/pdf' }],
    })
    const email = await app.onlyEmail(address.id)
    expect(email).to.include({
      addressId: address.id,
      type: 'received',
      from: 'shop@example.org',
      fromName: 'Shop',
      to: address.address,
      subject: 'Welcome to Käsehaus ✓',
      isRead: false,
      isStarred: false,
    })
    expect(email.bodyText.trim()).to.equal('Your code is 482913.')
    expect(email.codes).to.deep.equal(['482913'])
    expect(email.links).to.deep.equal([{ url: 'https://shop.example.org/confirm?t=1', host: 'shop.example.org', text: 'Confirm' }])
    expect(email.attachments).to.have.length(1)
    const file = await app.api('GET', `/emails/${email.id}/attachments/${email.attachments[0]!.id}`)
    expect(file.headers.get('content-type')).to.equal('application/pdf')
    expect(file.headers.get('content-disposition')).to.equal('attachment; filename=terms.pdf')
    expect(pdf.equals(file.body)).to.equal(true)
  })
})
