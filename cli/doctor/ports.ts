import { once } from 'node:events'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import type { Config } from '../../server/config/config.ts'
import { smtpPorts } from '../../server/config/smtp-ports.ts'
import { reachableHost } from '../reachable-host.ts'
import { isLoopback, ok, problem, warning } from './check.ts'
import type { Check, Finding, CheckContext } from './check.ts'

/** Timeout for a program on this machine, and the maximum bytes that are read of its answer. */
const timeoutMs = 2_000
const maxAnswerLength = 1_000

interface Listener {
  host: string
  port: number
  /** The variables of the host and of the port. */
  variables: [host: string, port: string]
}

export const httpPort: Check = {
  name: 'http-port',
  run: (context) => checkPort(context, { ...context.config.http, variables: ['MAYFLY_HTTP_HOST', 'MAYFLY_HTTP_PORT'] }, isMayflyHttp),
}

export const smtpPort: Check = {
  name: 'smtp-port',
  async run(context) {
    const { smtp, mxHost } = context.config
    const finding = await checkPort(context, smtpListener(smtp, 'mx'), (target) => isMayflySmtp(target, mxHost))
    return finding.status === 'ok' ? reachable(context, finding) : finding
  },
}

/** Whether the server listens on a port for logins, or can. */
const loginPort = (name: 'submission' | 'smtps', connectTo = connectPlain): Check => ({
  name: `${name}-port`,
  appliesTo: ({ config: { smtp } }) => smtpPorts(smtp)[name].port !== null,
  run(context) {
    const { smtp, mxHost } = context.config
    return checkPort(context, smtpListener(smtp, name), (target) => isMayflySmtp(target, mxHost, connectTo))
  },
})

export const submissionPort = loginPort('submission')
export const smtpsPort = loginPort('smtps', connectTls)

function smtpListener(smtp: Config['smtp'], name: keyof ReturnType<typeof smtpPorts>): Listener {
  const { variable, port } = smtpPorts(smtp)[name]
  return { host: smtp.host, port: port!, variables: ['MAYFLY_SMTP_HOST', variable] }
}

/** Whether the server listens on this port, or can. */
async function checkPort(
  { database }: CheckContext, { host, port, variables }: Listener, isMayfly: (target: Target) => Promise<boolean>,
): Promise<Finding> {
  const isServed = 'isServed' in database && database.isServed
  const [place, names] = [`${host}:${port}`, variables.join(', ')]
  if (port === 0) return ok(`${host}, any free port`)
  const refusal = await listenRefusal(host, port)
  if (refusal === undefined) {
    return isServed && database.kind === 'usable' // other nodes of a PostgreSQL database run elsewhere
      ? warning(`${place} is free, but a server runs on this database: it listens elsewhere`, 'Run this again with the variables of that server.')
      : ok(`${place} is free`)
  }
  if (refusal === 'EADDRINUSE') {
    if (!await isMayfly({ host: reachableHost(host), port }).catch(() => false)) {
      return problem(`${place} is taken by another program`, `End it, or set ${names}.`)
    }
    return isServed
      ? ok(`${place}, this service listens there`)
      : problem(`${place} is taken by a Mayfly server with another database`, `End it, or set ${names}; or run this with its MAYFLY_DATABASE.`)
  }
  if (refusal === 'EACCES') {
    return problem(`${place}: this user may not listen there`, `Give it the right to (CAP_NET_BIND_SERVICE), or set ${variables[1]} above 1023 and lead port ${port} there.`)
  }
  return problem(`cannot listen at ${place}: ${refusals[refusal] ?? refusal}`, `Set ${names}.`)
}

const refusals: Record<string, string> = {
  EADDRNOTAVAIL: 'the host has no such address',
  ENOTFOUND: 'the name is not known',
}

/** Other servers send mail to port 25. */
function reachable({ config: { smtp }, isPublic }: CheckContext, finding: Finding): Finding {
  if (isPublic && isLoopback(smtp.host)) {
    return warning(`${finding.found}, for this machine alone`, 'Set MAYFLY_SMTP_HOST to 0.0.0.0 or to the public address, unless a mail relay on this machine hands mail over.')
  }
  return isPublic && smtp.port !== 25 ? ok(`${finding.found}; port 25 has to lead there, which is not tested`) : finding
}

interface Target {
  host: string
  port: number
}

async function listenRefusal(host: string, port: number): Promise<string | undefined> {
  const server = createServer()
  try {
    await once(server.listen(port, host), 'listening')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'EUNKNOWN'
  }
  await once(server.close(), 'close')
  return undefined
}

async function isMayflyHttp({ host, port }: Target) {
  const request = get({ host, port, path: '/healthz', agent: false, signal: AbortSignal.timeout(timeoutMs) }).on('error', () => {})
  const [answer] = await once(request, 'response') as [IncomingMessage]
  let text = ''
  for await (const chunk of answer) {
    text += String(chunk)
    if (text.length > maxAnswerLength) break
  }
  return answer.statusCode === 200 && text === '{"status":"ok"}'
}

function connectPlain(target: Target): Socket {
  return connect({ ...target, signal: AbortSignal.timeout(timeoutMs) })
}

/** The greeting alone is read, so any certificate will do. */
function connectTls(target: Target): Socket {
  const socket = tlsConnect({ ...target, rejectUnauthorized: false })
  return socket.setTimeout(timeoutMs, () => socket.destroy())
}

async function isMayflySmtp(target: Target, name: string, connectTo = connectPlain) {
  const socket = connectTo(target)
  try {
    let greeting = ''
    for await (const chunk of socket) {
      greeting += String(chunk)
      if (greeting.includes('\n') || greeting.length > maxAnswerLength) break
    }
    return greeting.startsWith(`220 ${name} `)
  } finally {
    socket.destroy()
  }
}
