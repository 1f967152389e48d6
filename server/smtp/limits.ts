/**
 * What a client may ask of the listener. Names ending in `Ms` are milliseconds, in `Bytes` bytes, the others
 * are counts. The size of a mail is an operator's setting: `config.smtp.maxMessageBytes`.
 */
export const smtpLimits = {
  connections: 500, // open at once; one more is answered 421
  connectionsPerAddress: 100, // open at once from one IP address, loopback too; one more is answered 421
  recipients: 100, // of one mail; one more is answered 452
  // answered 452 before they count as junk: a client with 1,000 recipients delivers to the first 100 (RFC 5321, section 4.5.3.1.10)
  excessRecipients: 900,
  commandBytes: 2048, // of a command without its line break; a longer one ends the session with 500
  junkCommands: 100, // that bring no mail nearer, between two mails; then 421
  commandsPerTurn: 32, // of all sessions, run in one turn of the event loop; each takes about 40 microseconds
  idleMs: 60_000, // without a byte from a client whose turn it is; then 421
  commandMs: 300_000, // from one command to the end of the next; then 421
  dataMs: 600_000, // from the 354 to the final dot; then 421 and nothing is kept
  closeMs: 5_000, // that mails in progress are given when the listener closes
}

export type SmtpLimits = typeof smtpLimits
