import { expect } from 'chai'
import { Mayfly, NetworkError } from '@mayfly-mail/sdk'
import { rejectionOf } from './rejection.ts'

/** The error of a call whose `fetch` fails in this way. */
const errorOf = (failure: unknown) => {
  const sdk = new Mayfly({ apiKey: 'svc_test_key', baseUrl: 'https://mail.example.com', maxRetries: 0, fetch: () => Promise.reject(failure) })
  return rejectionOf(sdk.domains.list())
}

const fetchFailed = (message: string, members: object) => new TypeError('fetch failed', { cause: Object.assign(new Error(message), members) })

// those that a server can cause are in test/clients/cases/connections.json
describe('SDK: the reasons of a NetworkError', () => {
  const reasons: [failure: unknown, reason: string][] = [
    [fetchFailed('getaddrinfo ENOTFOUND mail.example.com', { code: 'ENOTFOUND' }), 'DNS has no address of this host. Check the host in baseUrl.'],
    [fetchFailed('getaddrinfo EAI_AGAIN mail.example.com', { code: 'EAI_AGAIN' }), 'DNS has no address of this host. Check the host in baseUrl.'],
    [fetchFailed('bad port', {}), 'fetch does not connect to this port. Check the port in baseUrl.'],
    [fetchFailed('certificate has expired', { code: 'CERT_HAS_EXPIRED' }), 'its certificate is not accepted: certificate has expired. NODE_EXTRA_CA_CERTS names the file of your own CA.'],
    [fetchFailed('unable to verify the first certificate', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }), 'its certificate is not accepted: unable to verify the first certificate. NODE_EXTRA_CA_CERTS names the file of your own CA.'],
    [fetchFailed('Headers Overflow Error', { code: 'UND_ERR_HEADERS_OVERFLOW' }), 'its headers are too long, or its body is damaged. Check baseUrl.'],
    [fetchFailed('incorrect header check', { code: 'Z_DATA_ERROR' }), 'its headers are too long, or its body is damaged. Check baseUrl.'],
    [fetchFailed('Decompression failed', { code: 'ERR__ERROR_FORMAT_PADDING_2' }), 'its headers are too long, or its body is damaged. Check baseUrl.'],
    [fetchFailed('Response body length does not match content-length header', { code: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' }), 'the connection was closed before the whole answer came (a restart, a proxy, or a port that takes https:// alone?).'],
    [fetchFailed('connect EHOSTUNREACH 10.0.0.1:443', { code: 'EHOSTUNREACH' }), 'EHOSTUNREACH. Is the server running?'],
    [fetchFailed('Response does not match the HTTP/1.1 protocol (Expected HTTP/)', { name: 'HTTPParserError', data: '220 refused' }), 'its answer is not HTTP (a mail server?). Check the port in baseUrl.'],
    // browsers: Chromium, Firefox and Safari
    ...['Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed'].map((message): [Error, string] =>
      [new TypeError(message), 'it is not running, or does not allow this page (MAYFLY_CORS_ORIGINS).']),
    [Object.assign(new Error('Unable to connect'), { code: 'ConnectionRefused' }), 'the connection was refused. Is the server running?'], // Bun
    ['no error', 'no error. Is the server running?'],
  ]
  for (const [failure, reason] of reasons) {
    it(`are stated with the way out: ${String(failure)}: ${reason}`, async () => {
      const error = await errorOf(failure)
      expect(error).to.be.instanceOf(NetworkError)
      expect(error.message).to.equal(`domains.list got no answer from https://mail.example.com: ${reason}`)
      expect(error.cause).to.equal(failure)
    })
  }
})
