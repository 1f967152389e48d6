/** What a caller may hold of the listener. Names ending in `Ms` are milliseconds, in `Bytes` bytes, the others are counts. */
export const httpLimits = {
  connections: 2_000, // open at once; for one more, the one that has been without a request longest is closed
  connectionsPerAddress: 256, // from one IP address, which is not loopback and no trusted proxy
  connectionsPerNetwork: 512, // from one IPv4 /24 or IPv6 /64, under the same condition
  pipelinedRequests: 16, // that wait on a connection, the one that is carried out included; then it is not read
  headersMs: 20_000, // from the connection, or the end of the request before, to the end of the header
  requestMs: 60_000, // from there to the end of the body
  checkMs: 2_000, // between two looks for connections that are past one of these two
  stalledMs: 30_000, // without progress of a caller that has to send, or to read its answer
  idleMs: 75_000, // that a connection is kept for the next request: longer than clients keep theirs
  lingerMs: 2_000, // that a caller has to read its answer when its body is not read to the end
  lingerBytes: 1024 * 1024, // that are read of the rest of such a body meanwhile
  bodyBytes: 64 * 1024 * 1024, // of bodies that are being received and worked on; more wait in their sockets
  bodyBytesPerAccount: 4 * 1024 * 1024, // of these for one account
  smallBodyBytes: 16 * 1024, // of a body that never waits
  waitingBodies: 200, // of an account that wait for room; then 429
  bodyWaitMs: 20_000, // that a body waits for room; then 429; less than `stalledMs`
  unreadBytes: 64 * 1024 * 1024, // of answers to an account that its callers have not read yet; then 429
  closeMs: 5_000, // that requests have to end when the server closes
}

export type HttpLimits = typeof httpLimits
