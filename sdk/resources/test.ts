import type { Connection } from '../core/connection.ts'
import type { RequestOptions } from '../core/options.ts'
import type { MayflyPromise } from '../core/promise.ts'
import type { TestEmailCreate } from '../generated/types.gen.ts'

/** `mayfly.test`: operations for test keys (`svc_test_…`) alone. */
export function testOperations({ call }: Connection) {
  return {
    /**
     * Delivers an email to a test-mode address as SMTP would. It can be read at once by its id, an email of more than 256 kB
     * after it was parsed.
     * @param email.to an address of this test key's account, with a tag or without
     * @param email.from the sender, with a name or without; default: `test@example.com`
     * @param email.raw the whole source in place of `from`, `subject`, `text` and `html`; its line ends become CRLF
     * @throws NotFoundError when the key is live, or there is no such active address
     * @throws InvalidRequestError when `from` is not one mailbox, or another member but `to` is given with `raw`
     * @example
     * const { id: addressId, address } = await mayfly.addresses.create()
     * await mayfly.test.createEmail({ to: address, subject: 'Your code', text: 'Your code is 482913.' })
     * const { codes } = await mayfly.emails.waitFor({ addressId })
     */
    createEmail(email: TestEmailCreate, options?: RequestOptions): MayflyPromise<{ id: string }> {
      return call('test.createEmail', { body: email }, options)
    },
  }
}
