import { createTransport } from 'nodemailer'
import type { Config } from '../../server/config/config.ts'
import { readSmartHost } from '../../server/outbound/routes.ts'
import { ok, problem, timeoutMs, warning } from './check.ts'
import type { Check, CheckContext, Finding } from './check.ts'

/** The route of outgoing mail, and whether the smart host accepts a login. */
export const outbound: Check = {
  name: 'outbound',
  async run(context) {
    const route = await findRoute(context)
    const relay = relayWarning(context.config)
    return relay ? [route, warning(relay, 'Set MAYFLY_SIGN_UP to closed, unless others are to create accounts here.')] : route
  },
}

/** The mail that accounts of strangers can cause, for the operator of a server with sign-up and outgoing mail. */
export function relayWarning({ signUp, outbound, freeSending }: Pick<Config, 'signUp' | 'outbound' | 'freeSending'>): string | undefined {
  if (signUp === 'closed' || outbound.kind === 'capture') return undefined
  const mails = freeSending ? 'mail that they write' : 'sign-in links, verification emails and forwards'
  return `MAYFLY_SIGN_UP lets others create accounts, and MAYFLY_OUTBOUND lets their mail leave this server: ${mails}, within the limits of docs/sending-and-forwarding.md.`
}

async function findRoute({ config: { outbound, mxHost } }: CheckContext): Promise<Finding> {
  if (outbound.kind === 'capture') return ok('mail to other hosts is captured, nothing leaves this one: "mayfly outbox list" shows it')
  if (outbound.kind === 'direct') return ok('mail goes to the MX of each domain; whether this network lets it reach their port 25 is not tested')
  const { name, port, ...failure } = await tryConnection(outbound.url, mxHost)
  if (failure.reason === undefined) return ok(`the smart host ${name}:${port} answers`)
  return problem(`the smart host ${name}:${port} cannot be used: ${failure.reason}`, 'Check host, port, user and password in MAYFLY_OUTBOUND, and whether this network lets mail out.')
}

/** Sends EHLO, starts TLS and logs in as for a mail, and sends no mail. */
async function tryConnection(url: string, mxHost: string): Promise<{ name: string, port: number, reason?: string }> {
  const { name, host, port, tls, isVerified, auth } = readSmartHost(url)
  const transport = createTransport({
    name: mxHost, host, port, auth,
    secure: tls === 'implicit',
    requireTLS: tls === 'required',
    tls: { rejectUnauthorized: isVerified },
    connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs, dnsTimeout: timeoutMs,
  })
  try {
    await transport.verify()
    return { name, port }
  } catch (error) {
    return { name, port, reason: (error as Error).message }
  } finally {
    transport.close()
  }
}
