import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { SMTPServerOptions } from 'smtp-server'
import type { App } from '../context.ts'
import { waitAtMost } from '../deadline.ts'
import { addressMatcher } from '../network.ts'
import { sessionCallbacks, type MailsInProgress } from './callbacks.ts'
import { LimitedServer } from './limited-server.ts'
import { smtpLimits, type SmtpLimits } from './limits.ts'

/** A running listener. */
export interface SmtpListener {
  /** `host:port`, as it listens. */
  address: string
  port: number
  /** Sessions open now. */
  readonly connections: number
  /** Bytes of mail held in memory now. */
  readonly heldBytes: number
  /** Accepts no more sessions, ends idle ones with 421 (RFC 5321, section 3.8) and gives mails in progress `closeMs`. */
  close(): Promise<void>
}

/**
 * Listens for mail at the address in `app.config.smtp`. A mail is answered 250 only once the domain has it on disk (RFC 5321, section 6.1).
 * @param overrides limits that differ from `smtpLimits`
 * @throws Error of the system when it cannot listen: `EADDRINUSE`, `EACCES`
 */
export async function listenSmtp(app: App, overrides: Partial<SmtpLimits> = {}): Promise<SmtpListener> {
  const limits = { ...smtpLimits, ...overrides }
  const mails: MailsInProgress = new Set()
  const options = { ...optionsOf(app, limits), ...sessionCallbacks(app, mails) }
  const server = new LimitedServer(options, limits, app.config.memoryBytes, ({ stage, ...refusal }) => {
    app.metrics.smtpRefused(refusal.reason)
    if (stage) app.activity.record({ kind: 'refused', stage, ...refusal })
  }, { isProxy: addressMatcher(app.config.http.trustedProxies), allowsInsecureAuth: app.config.smtp.insecureAuth })
  server.on('error', (error) => app.log.debug({ reason: error.message }, 'smtp session failed'))
  await once(server.listen(app.config.smtp.port, app.config.smtp.host), 'listening')
  const watch = watchTimes(server)
  const { address, family, port } = server.server.address() as AddressInfo
  let closing: Promise<void> | undefined
  return {
    address: `${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    port,
    get connections() {
      return server.connections.size
    },
    get heldBytes() {
      return server.mailMemory.heldBytes
    },
    close: () => closing ??= close(server, mails).finally(() => clearInterval(watch)),
  }
}

function optionsOf(app: App, limits: SmtpLimits): SMTPServerOptions {
  const { maxMessageBytes, tls } = app.config.smtp
  return {
    name: app.config.mxHost,
    heloResponse: '%s',
    size: maxMessageBytes, // in the reply to EHLO (RFC 1870, section 4)
    maxClients: limits.connections,
    maxRecipients: limits.recipients,
    maxCommandLength: limits.commandBytes,
    socketTimeout: limits.idleMs,
    closeTimeout: 2 ** 31 - 1, // disabled: `close` has its own
    lenientAddressParsing: true, // a malformed sender is no reason to lose mail; the domain checks recipients
    hideENHANCEDSTATUSCODES: false, // RFC 2034, section 3
    disableReverseLookup: true, // sends no DNS query
    logger: false,
    authMethods: ['PLAIN', 'LOGIN'],
    authOptional: true,
    allowInsecureAuth: true, // `LimitedConnection` decides
    disabledCommands: ['XCLIENT', 'XFORWARD', 'WIZ', 'SHELL', 'KILL', ...(tls ? [] : ['STARTTLS'])],
    ...(tls && { ...tls, minVersion: 'TLSv1.2' }),
  }
}

/** Uses one timer for all sessions, which costs less than one for each. */
function watchTimes(server: LimitedServer) {
  const { idleMs, commandMs, dataMs } = server.limits
  const check = () => {
    const now = performance.now()
    for (const connection of server.openConnections) connection.checkTime(now)
    server.mailMemory.replaceStalled()
  }
  return setInterval(check, Math.min(1000, idleMs / 4, commandMs / 4, dataMs / 4)).unref()
}

async function close(server: LimitedServer, mails: MailsInProgress) {
  const closed = once(server.server, 'close')
  server.close()
  for (const connection of server.openConnections) connection.dismissIfIdle()
  await waitAtMost(server.limits.closeMs, Promise.all(mails))
  for (const connection of server.openConnections) connection.dismiss()
  await Promise.all(mails)
  await closed
}
