import { SMTPServer } from 'smtp-server'

/** The baseline of receiving: smtp-server alone, which accepts all mail and discards it. */
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  logger: false,
  onData(stream, _session, callback) {
    stream.on('end', () => callback())
    stream.resume()
  },
})
const listening = server.listen(0, '127.0.0.1', () => {
  console.log(`listening smtp=127.0.0.1:${(listening.address() as { port: number }).port}`)
})
process.once('SIGTERM', () => process.exit(0))
