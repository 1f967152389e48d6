import { client } from '../client.ts'
import type { Connection } from '../connection.ts'
import { testCreateEmail } from '../generated/sdk.gen.ts'
import type { TestEmailCreate } from '../generated/types.gen.ts'
import type { RequestOptions } from '../options.ts'
import type { MayflyPromise } from '../promise.ts'

/** `mayfly.test`: what test keys (`svc_test_…`) may do beside all else. */
export function testOperations({ call }: Connection) {
  return {
    /**
     * Receives an email at a test-mode address as if it had come over SMTP. It can be read at once by its id; one of more
     * than 256 kB a moment later.
     * @param email.to an address of this test key's account, with a tag or without
     * @param email.from the sender, with a name or without; omitted, `test@example.com`
     * @param email.raw the whole source in place of `from`, `subject`, `text` and `html`; its line ends become CRLF
     * @throws NotFoundError when the key is live, or there is no such active address
     * @throws InvalidRequestError when `from` is not one mailbox, or something stands beside `raw`
     * @example
     * const { id: addressId, address } = await mayfly.addresses.create()
     * await mayfly.test.createEmail({ to: address, subject: 'Your code', text: 'Your code is 482913.' })
     * const { codes } = await mayfly.emails.waitFor({ addressId })
     */
    createEmail(email: TestEmailCreate, options?: RequestOptions): MayflyPromise<{ id: string }> {
      return call('test.createEmail', testCreateEmail({ client, body: email }), options)
    },
  }
}
