/** Limits of the HTTP listener, in the unit that the name ends in, else counts. */
export const httpLimits = {
  maxConnections: 2_000, // open at once; a further one closes the one that has been idle longest
  maxInProgress: 1_500, // connections with a request; a further one closes the oldest of the client or account that has most
  maxBacklog: 4_096, // connections that wait in the kernel until they are accepted; clients repeat a dropped SYN after a second
  // open at once from an IPv4 address or IPv6 /64 other than loopback and trusted proxies, and multiples for wider networks
  maxConnectionsPerAddress: 256,
  maxPipelinedRequests: 16, // of a connection, the one in progress included; at this number the socket is not read
  headersTimeoutMs: 20_000, // from the opening of the connection, or the end of the request before, to the end of the header
  requestTimeoutMs: 60_000, // from the same moment to the end of the body
  timeoutCheckMs: 2_000, // between two checks for these two timeouts
  stallTimeoutMs: 30_000, // without progress, while the caller has to send a request or to read a response
  idleTimeoutMs: 75_000, // of an open connection between two requests; longer than common clients keep theirs
  maxLingerMs: 2_000, // for a caller to read the response when its body was not read to the end
  maxLingerBytes: 1024 * 1024, // of the rest of such a body, read meanwhile
  maxBodyMemoryBytes: 64 * 1024 * 1024, // of request bodies in memory; the last may exceed it, further ones stay in their sockets
  maxBodyMemoryBytesPerAccount: 4 * 1024 * 1024, // of request bodies in memory; one longer than the half may exceed it
  maxBodyBytesPerSecond: 8 * 1024 * 1024, // of large bodies of an account
  maxPublicBodyBytes: 4 * 1024, // of a request without a caller, which has to tell its length
  maxSmallBodyBytes: 16 * 1024, // a body up to this size never waits for the limits of bodies
  maxWaitingBodies: 200, // of an account, for memory; then 429
  bodyWaitTimeoutMs: 20_000, // of a body that waits for memory; then 429; has to be less than `stallTimeoutMs`
  maxUnreadBytes: 64 * 1024 * 1024, // of responses to an account that its callers have not read yet; then 429
  maxUnreadBytesInAll: 256 * 1024 * 1024, // of responses to all accounts; then 429 for those that have more than an equal share of it
  closeTimeoutMs: 5_000, // for requests in progress when the server closes
}

export type HttpLimits = typeof httpLimits
