import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { SMTPServerOptions } from 'smtp-server'
import { cannotListen } from '../config/cannot-listen.ts'
import type { Config } from '../config/config.ts'
import { offersStartTls, smtpPorts } from '../config/smtp-ports.ts'
import type { SmtpPort } from '../config/smtp-ports.ts'
import type { TlsPair } from '../config/tls-pair.ts'
import type { App } from '../context.ts'
import { waitAtMost } from '../deadline.ts'
import { openAcmeCertificate } from '../domain/acme-certificate.ts'
import { followSmtpCertificate, openSmtpCertificate } from '../domain/smtp-certificate.ts'
import { addressMatcher } from '../network.ts'
import { sessionCallbacks, type MailsInProgress } from './callbacks.ts'
import { LimitedServer, LimitedSessions } from './limited-server.ts'
import { smtpLimits, type SmtpLimits } from './limits.ts'
import { loginMethods } from './replies.ts'

/** A port that listens. */
interface ListeningPort {
  /** `host:port`, as it listens. */
  address: string
  port: number
}

/** The running listeners. That of the port for mail of other servers is always there. */
export interface SmtpListener extends ListeningPort {
  /** The ports for logins: with STARTTLS, and with implicit TLS. */
  submission: ListeningPort | undefined
  smtps: ListeningPort | undefined
  /** Sessions open now, of all ports. */
  readonly connections: number
  /** Bytes of mail held in memory now. */
  readonly heldBytes: number
  /** Reads the certificate files again now; the server also does so every few seconds. Open sessions keep their certificate. */
  reloadCertificate(): Promise<void>
  /** Accepts no more sessions, ends idle ones with 421 (RFC 5321, section 3.8) and gives mails in progress `closeMs`. */
  close(): Promise<void>
}

/**
 * Listens for mail at the ports in `app.config.smtp`. A mail is answered 250 only once the domain has it on disk (RFC 5321, section 6.1).
 * @param overrides limits that differ from `smtpLimits`
 * @throws ConfigError with the code of the system when it cannot listen: `EADDRINUSE`, `EACCES`
 */
export async function listenSmtp(app: App, overrides: Partial<SmtpLimits> = {}): Promise<SmtpListener> {
  const { host, tls, acme, insecureAuth } = app.config.smtp
  const { mx, submission, smtps } = smtpPorts(app.config.smtp)
  const limits = { ...smtpLimits, ...overrides }
  const mails: MailsInProgress = new Set()
  const cells = app.network.cells ? new (await import('./cells.ts')).CellSessions(app, app.network.cells) : undefined
  const { callbacks, beforeData } = sessionCallbacks(app, mails, cells)
  const shared = new LimitedSessions({
    limits, beforeData, cells, memoryBytes: app.config.memoryBytes, allowsInsecureAuth: insecureAuth,
    recordRefusal({ stage, ...refusal }) {
      app.metrics.smtpRefused(refusal.reason)
      if (stage) app.activity.record({ kind: 'refused', stage, ...refusal })
    },
  })
  const isProxy = addressMatcher(app.config.http.trustedProxies)
  const servers: LimitedServer[] = []
  const withTls: LimitedServer[] = []
  const hasLogins = submission.port !== null || smtps.port !== null
  const renew = (pair: TlsPair) => {
    for (const server of withTls) server.updateSecureContext({ ...pair })
  }
  const certificate = tls ? followSmtpCertificate(app, tls, renew)
    : acme ? await openAcmeCertificate(app, renew) : hasLogins ? await openSmtpCertificate(app, renew) : undefined
  const listen = async ({ variable, port }: SmtpPort, rules: PortRules) => {
    if (port === null) return undefined
    const server = new LimitedServer({ ...optionsOf(app, limits, rules), ...callbacks }, shared, isProxy)
    server.on('error', (error) => app.log.debug({ reason: error.message }, 'smtp session failed'))
    await once(server.listen(port, host), 'listening').catch(cannotListen(['MAYFLY_SMTP_HOST', variable], { host, port }))
    servers.push(server)
    if (rules.tls) withTls.push(server)
    return portOf(server)
  }
  const watch = watchTimes(shared)
  let closing: Promise<void> | undefined
  const close = () => closing ??= closeAll(servers, shared, mails).finally(() => {
    clearInterval(watch)
    certificate?.close()
  })
  try {
    const loginRules = { tls: certificate?.pair ?? null, isForLogins: true }
    return {
      // none that stays self-signed: clients that use STARTTLS where it is offered would refuse it
      ...(await listen(mx, { tls: offersStartTls(app.config.smtp) ? loginRules.tls : null }))!,
      submission: await listen(submission, loginRules),
      smtps: await listen(smtps, { ...loginRules, isImplicitTls: true }),
      close,
      reloadCertificate: async () => certificate?.reload(),
      get connections() {
        return shared.connections.size
      },
      get heldBytes() {
        return shared.mailMemory.heldBytes
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

function portOf({ server }: LimitedServer): ListeningPort {
  const { address, family, port } = server.address() as AddressInfo
  return { address: `${family === 'IPv6' ? `[${address}]` : address}:${port}`, port }
}

/** The port for a login that is best protected. @param listening undefined while the server starts */
export function loginPort(smtp: Config['smtp'], listening: SmtpListener | undefined): ReturnType<App['loginPort']> {
  const { submissionPort, smtpsPort, port } = smtp
  if (submissionPort !== null) return { port: listening?.submission?.port ?? submissionPort, security: 'starttls' }
  if (smtpsPort !== null) return { port: listening?.smtps?.port ?? smtpsPort, security: 'tls' }
  return { port: listening?.port ?? port, security: offersStartTls(smtp) ? 'starttls' : 'none' }
}

interface PortRules {
  /** Without it, STARTTLS is not offered. */
  tls: TlsPair | null
  /** Takes mail after a login alone (RFC 6409, section 4.3). */
  isForLogins?: boolean
  /** TLS begins with the connection (RFC 8314, section 3.3). */
  isImplicitTls?: boolean
}

function optionsOf(app: App, limits: SmtpLimits, { tls, isForLogins = false, isImplicitTls = false }: PortRules): SMTPServerOptions {
  return {
    name: app.config.mxHost,
    heloResponse: '%s',
    size: app.config.smtp.maxMessageBytes, // in the reply to EHLO (RFC 1870, section 4)
    maxClients: limits.connections,
    maxRecipients: limits.recipients,
    maxCommandLength: limits.commandBytes,
    socketTimeout: limits.idleMs,
    closeTimeout: 2 ** 31 - 1, // disabled: `close` has its own
    lenientAddressParsing: true, // a malformed sender is no reason to lose mail; the domain checks recipients
    hideENHANCEDSTATUSCODES: false, // RFC 2034, section 3
    disableReverseLookup: true, // sends no DNS query
    logger: false,
    authMethods: loginMethods,
    authOptional: !isForLogins,
    authRequiredMessage: `Log in first${isImplicitTls ? '' : ', after STARTTLS'}: this port takes mail after AUTH alone`,
    maxAllowedUnauthenticatedCommands: Infinity, // `UnproductiveCommands` limits them
    allowInsecureAuth: true, // `LimitedConnection` decides
    disabledCommands: ['XCLIENT', 'XFORWARD', 'WIZ', 'SHELL', 'KILL', ...(tls ? [] : ['STARTTLS'])],
    ...(tls && { cert: tls.cert, key: tls.key, minVersion: 'TLSv1.2' }),
    ...(isImplicitTls && { secure: true, needsUpgrade: true }), // the session makes the handshake, so that its limits count from the begin
  }
}

/** Uses one timer for all sessions, which costs less than one for each. */
function watchTimes(shared: LimitedSessions) {
  const { idleMs, commandMs, dataMs } = shared.limits
  const check = () => {
    const now = performance.now()
    for (const connection of shared.openConnections) connection.checkTime(now)
    shared.mailMemory.replaceStalled()
  }
  return setInterval(check, Math.min(1000, idleMs / 4, commandMs / 4, dataMs / 4)).unref()
}

async function closeAll(servers: LimitedServer[], { openConnections, limits }: LimitedSessions, mails: MailsInProgress) {
  const closed = servers.map(({ server }) => once(server, 'close'))
  for (const server of servers) server.close()
  for (const connection of openConnections) connection.dismissIfIdle()
  await waitAtMost(limits.closeMs, Promise.all(mails))
  for (const connection of openConnections) connection.dismiss()
  await Promise.all(mails)
  await Promise.all(closed)
}
