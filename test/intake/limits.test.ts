import { expect } from 'chai'
import type { Email } from '../../server/contract/types.gen.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { hostileMails } from '../support/hostile-mails.ts'
import { sendRaw } from '../support/send-raw.ts'

/** By the limit that each exceeds on any machine: to read one takes a second or 100 MB, and its header a hundredth of that. */
const mails = {
  memory: { intakeLimits: { maxHeapMegabytes: 24, timeoutMs: 600_000 }, source: hostileMails().find(({ name }) => name === '16 MB of HTML')!.source },
  time: {
    intakeLimits: { timeoutMs: 250 },
    source: `From: attacker@example.org\r\nSubject: hostile html\r\nContent-Type: multipart/alternative\r\n\r\n${'--\r\n'.repeat(6_000_000)}`,
  },
}

/** Waits for the mail of an address, over as many attempts of its job as a busy machine needs: each has a chance to keep the limit. */
async function onlyEmail(app: TestApp, addressId: string): Promise<Email> {
  await app.settled()
  while ((await app.listEmails({ address_id: addressId })).length === 0) await app.advance({ minutes: 5 })
  return app.onlyEmail(addressId)
}

describe('Mail parsing: limits of a thread', () => {
  for (const [limit, { intakeLimits, source }] of Object.entries(mails)) {
    it(`publishes a mail beyond the ${limit} limit with its header and its exact source, and the next mail`, async function () {
      this.timeout(600_000) // for attempts beside other work
      await using app = await openTestApp({ intakeLimits })
      const [address, other] = [await app.newAddress(), await app.newAddress()]
      await sendRaw(app.smtp.port, address.address, source)
      await app.send({ to: other.address, subject: 'meanwhile', text: 'short' })
      expect(await onlyEmail(app, other.id)).to.include({ subject: 'meanwhile' })

      const email = await onlyEmail(app, address.id)
      expect(email).to.include({ from: 'attacker@example.org', subject: 'hostile html', bodyText: '', bodyHtml: '' })
      const { body } = await app.api<Buffer>('GET', `/emails/${email.id}/raw`)
      expect(body.equals(Buffer.from(source))).to.equal(true)
    })
  }
})
