/**
 * Limits of the SMTP listener. Names ending in `Ms` are milliseconds, in `Bytes` bytes, the others are counts. The size of a mail is
 * configured by the operator: `config.smtp.maxMessageBytes`. docs/decisions/0011 has the reasons.
 */
export const smtpLimits = {
  connections: 500, // open at once; a further one ends the longest idle one with 421, or is answered 421 itself
  connectionsPerAddress: 100, // open at once from an IPv4 address or IPv6 /64, loopback too, and multiples for wider networks; then 421
  evictableMs: 1_000, // without progress, after which a session may be ended for another
  recipients: 100, // of one mail, as many as RFC 5321, section 4.5.3.1.8, requires; one more is answered 452
  // answered 452 before they count as unproductive: a client with 1,000 recipients delivers to the first 100 (RFC 5321, section 4.5.3.1.10)
  excessRecipients: 900,
  // of a command without its line break; a longer one ends the session with 500 (RFC 5321, section 4.5.3.1.9)
  commandBytes: 2048,
  unproductiveCommands: 100, // that do not advance a mail, between two mails; then 421
  // before that 421, up to twice as long: libuv accepts one connection per turn, so mass reconnects delay others
  unproductiveDelayMs: 1_000,
  // of all sessions per turn of the event loop, about 40 microseconds each; few, because libuv accepts one connection per turn
  commandsPerTurn: 8,
  // unknown recipients and wrong passwords of one network that are answered 550 and 535 at once; beyond them, the reply is delayed
  guesses: 50,
  guessesPerSecond: 2, // of one network for which that number is replenished
  guessDelayMs: 10_000, // maximum delay of a 550 or 535
  // TLS handshakes of one network, about two milliseconds of processor time each; beyond them they are delayed
  handshakes: 10,
  handshakesPerSecond: 50, // of one network for which that number is replenished
  handshakeDelayMs: 10_000, // maximum delay of a handshake
  delayedGuesses: 10, // of one session between two accepted mails; one more is answered 421
  smallMailBytes: 16_384, // up to which a mail is read even while the memory for mail is full
  readAheadBytes: 131_072, // of that memory reserved per connection: one read of its socket, after line endings are repaired
  leaderBytes: 1_048_576, // reserved for the one mail that is read while the memory is full: its chunks and its queue
  mailBytesPerSecond: 16 * 1024 * 1024, // of one network, while another one sends mail too
  proxyHeaderMs: 5_000, // in which a trusted proxy has to send the header of the PROXY protocol
  // in which one on this machine may begin it; without it, the connection counts as that of a local client; 0 requires the header here too
  localProxyHeaderMs: 200,
  // without a byte from a client that this server waits for; then 421. RFC 5321, section 4.5.3.2.7, recommends five minutes
  idleMs: 60_000,
  commandMs: 300_000, // from one command to the end of the next; then 421
  dataMs: 600_000, // from the 354 to the final dot; then 421 and nothing is kept
  closeMs: 5_000, // that mails in progress are given when the listener closes
}

export type SmtpLimits = typeof smtpLimits
