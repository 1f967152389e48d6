/** Why no answer came, each with the way out, by parts of the errors of Node and other runtimes. The first that matches is given. */
const reasons: [error: RegExp, reason: string][] = [
  [/refused/i, 'the connection was refused. Is the server running?'],
  [/ENOTFOUND|EAI_/, 'DNS has no address of this host. Check the host in baseUrl.'],
  // ERR_SSL_WRONG_VERSION_NUMBER, ERR_SSL_PACKET_LENGTH_TOO_LONG, ERR_SSL_UNKNOWN_PROTOCOL
  [/WRONG_V|LENGTH_TOO|UNKNOWN_P/, 'it answers without TLS, probably in plain HTTP. Use http:// in baseUrl, or check its port.'],
  // UND_ERR_HEADERS_OVERFLOW, HPE_HEADER_OVERFLOW, Z_DATA_ERROR and others of zlib, ERR__ERROR_FORMAT_… of Brotli
  [/OVERFLOW|Z_|ERR__/, 'its headers are too long, or its body is damaged. Check baseUrl.'],
  [/HPE_|Parse|the HTTP/, 'its answer is not HTTP (a mail server?). Check the port in baseUrl.'],
  // a browser does not tell a page whether the server has refused it (CORS)
  [/to fetch|Load failed/, 'it is not running, or does not allow this page (MAYFLY_CORS_ORIGINS).'],
  [/bad port/, 'fetch does not connect to this port. Check the port in baseUrl.'],
  [
    /RESET|EPIPE|SOCKET|MISMATCH|closed/,
    'the connection was closed before the whole answer came (a restart, a proxy, or a port that takes https:// alone?).',
  ],
]

/** The reason of a NetworkError, with the way out. @param error of `fetch`, or of the stream of its answer */
export function describeReason(error: unknown): string {
  const { code, message, data } = Object((error as Error | undefined)?.cause ?? error) as { code?: string, message?: string, data?: string }
  const text = `${code} ${message}`
  // the beginning of a TLS alert
  if (`${data}`.startsWith('\x15\x03')) return 'it answers with TLS. Use https:// in baseUrl.'
  if (/CERT|VERIFY/.test(text)) return `its certificate is not accepted: ${message}. NODE_EXTRA_CA_CERTS names the file of your own CA.`
  return reasons.find(([pattern]) => pattern.test(text))?.[1] ?? `${code ?? message ?? String(error)}. Is the server running?`
}
