import { call } from '../call.ts'
import type { RequestOptions } from '../call.ts'
import type { Connection } from '../connection.ts'
import { Test } from '../generated/sdk.gen.ts'
import type { TestEmailCreate } from '../generated/types.gen.ts'

/** `mayfly.test`: what test keys (`svc_test_…`) may do beside all else. */
export function testOperations(connection: Connection) {
  const api = new Test({ client: connection.client })
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
    async createEmail(email: TestEmailCreate, options?: RequestOptions): Promise<{ id: string }> {
      const { body } = await call(connection, (request) => api.createEmail({ ...request, body: email }), 'data', options)
      return body.data
    },
  }
}
