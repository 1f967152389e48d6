import { expect } from 'chai'
import type { Email } from '../../server/contract/types.gen.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { hostileMails } from '../support/hostile-mails.ts'
import { sendRaw } from '../support/send-raw.ts'

const page = hostileMails().find(({ name }) => name === '16 MB of HTML')!

async function onlyEmail(app: TestApp, addressId: string): Promise<Email> {
  await app.settled()
  return app.onlyEmail(addressId)
}

describe('Mail parsing: limits of a thread', () => {
  for (const [limit, intakeLimits] of Object.entries({ memory: { maxHeapMegabytes: 24 }, time: { timeoutMs: 50 } })) {
    it(`publishes a mail beyond the ${limit} limit with its header and its exact source, and the next mail`, async function () {
      await using app = await openTestApp({ isRealTime: true, intakeLimits })
      const [address, other] = [await app.newAddress(), await app.newAddress()]
      await sendRaw(app.smtp.port, address.address, page.source)
      await app.send({ to: other.address, subject: 'meanwhile', text: 'short' })
      const { bodyText, ...next } = await onlyEmail(app, other.id)
      expect(next).to.include({ from: 'shop@example.org', subject: 'meanwhile' })
      // a busy machine may take longer than the time limit for the short mail, too
      expect(bodyText).to.be.oneOf(limit === 'time' ? ['short\n', ''] : ['short\n'])

      const email = await onlyEmail(app, address.id)
      expect(email).to.include({ from: 'attacker@example.org', subject: 'hostile html', bodyText: '', bodyHtml: '' })
      const { body } = await app.api<Buffer>('GET', `/emails/${email.id}/raw`)
      expect(body.equals(Buffer.from(page.source))).to.equal(true)
    })
  }
})
