/** Limits of the HTTP listener. Names ending in `Ms` are milliseconds, in `Bytes` bytes, the others are counts. */
export const httpLimits = {
  connections: 2_000, // open at once; a further one closes the one that has been idle longest
  backlog: 4_096, // connections that the kernel holds until they are accepted; clients repeat a dropped SYN after a second
  connectionsPerAddress: 256, // open at once from one IP address other than loopback and trusted proxies
  connectionsPerNetwork: 512, // open at once from one IPv4 /24 or IPv6 /64, with the same exceptions
  pipelinedRequests: 16, // of a connection, the one in progress included; at this number the socket is not read
  headersMs: 20_000, // from the opening of the connection, or the end of the request before, to the end of the header
  requestMs: 60_000, // from the same moment to the end of the body
  checkMs: 2_000, // between two checks for connections beyond one of these two
  stalledMs: 30_000, // without progress, while the caller has to send a request or to read a response
  idleMs: 75_000, // that an idle connection is kept open; longer than common clients keep theirs
  lingerMs: 2_000, // that a caller has to read the response when its body was not read to the end
  lingerBytes: 1024 * 1024, // of the rest of such a body that are read meanwhile
  bodyBytes: 64 * 1024 * 1024, // of request bodies in memory; further bodies stay in their sockets
  bodyBytesPerAccount: 4 * 1024 * 1024, // of these per account
  bodyBytesPerSecond: 8 * 1024 * 1024, // of large bodies, per account
  smallBodyBytes: 16 * 1024, // up to which a body never waits for these
  waitingBodies: 200, // that wait for memory, per account; then 429
  bodyWaitMs: 20_000, // that a body waits for memory; then 429; has to be less than `stalledMs`
  unreadBytes: 64 * 1024 * 1024, // of responses to an account that its callers have not read yet; then 429
  closeMs: 5_000, // that requests have to end when the server closes
}

export type HttpLimits = typeof httpLimits
