import { createTransport } from 'nodemailer'

/** The application that the programs of the pages call: it mails a code and a link. */
Object.assign(globalThis, {
  async signUp(address: string) {
    await createTransport({ host: '127.0.0.1', port: Number(process.env['MAYFLY_SMTP_PORT']) }).sendMail({
      from: 'shop@example.org', to: address, subject: 'Please confirm', text: 'Your code is 482913: https://shop.example.org/confirm?code=482913',
    })
  },
})
