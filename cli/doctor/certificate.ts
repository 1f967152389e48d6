import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { dayMs } from '../../server/clock.ts'
import type { Acme } from '../../server/config/config.ts'
import { renewalTime } from '../../server/config/tls-pair.ts'
import { reachableHost } from '../reachable-host.ts'
import { ok, problem, timeoutMs, warning } from './check.ts'
import type { Check, CheckContext, Finding } from './check.ts'

/** A certificate should be renewed this long before its expiry. */
const renewalDays = 14

/** The certificate of STARTTLS: that of the file, and that of the server that runs. */
export const certificate: Check = {
  name: 'tls',
  async run({ config, isPublic, now }) {
    const { smtp, mxHost } = config
    if (smtp.acme) return byAcme(smtp.acme, mxHost, await served(config).catch(() => undefined), now)
    if (!smtp.tls) {
      const hasLoginPort = smtp.submissionPort !== null || smtp.smtpsPort !== null
      const found = `no certificate, so SMTP does not offer STARTTLS${hasLoginPort ? '; the ports for logins have a self-signed one' : ''}`
      return isPublic ? warning(found, 'Set MAYFLY_ACME_EMAIL, or MAYFLY_TLS_CERT and MAYFLY_TLS_KEY: without, mail comes unencrypted, and some hosts send none.') : ok(found)
    }
    const { validFromDate, validToDate, ...found } = describe(smtp.tls.cert)
    const difference = differenceOf(await served(config).catch(() => undefined), smtp.tls.cert, now)
    if (difference) return difference
    const renew = 'Renew it: the server reads the file again by itself.'
    const restMs = validToDate.getTime() - now
    if (restMs < 0) return problem(`the certificate ended on ${date(validToDate)}`, renew)
    if (validFromDate.getTime() > now) return problem(`the certificate begins on ${date(validFromDate)}`, 'Look at the clock of this machine.')
    if (restMs < renewalDays * dayMs) return warning(`the certificate ends on ${date(validToDate)}`, renew)
    if (!found.isFor(mxHost)) return warning(`the certificate is not for ${mxHost} but for ${found.names}`, `Get one for ${mxHost}, or set MAYFLY_MX_HOST.`)
    return ok(`for ${mxHost}, until ${date(validToDate)}`)
  },
}

/** Checks a certificate by ACME. @param shown that of the running server; undefined when it shows none */
function byAcme({ directory, tlsPort }: Acme, mxHost: string, shown: X509Certificate | undefined, now: number): Finding {
  const { host } = new URL(directory)
  if (!shown) return ok(`a server that runs gets it for ${mxHost} from ${host}`)
  const advice = `Look for ACME in the log of the server. ${host} has to reach it at ${
    tlsPort === null ? `http://${mxHost}/.well-known/acme-challenge/` : `port 443 of ${mxHost}, which has to lead to MAYFLY_ACME_TLS_PORT`}.`
  if (shown.verify(shown.publicKey) || shown.checkHost(mxHost) === undefined) return warning(`the server has no certificate of ${host} for ${mxHost} yet`, advice)
  const [from, to] = [shown.validFromDate.getTime(), shown.validToDate.getTime()]
  if (to < now) return problem(`the certificate of ${host} ended on ${date(shown.validToDate)}, and was not renewed`, advice)
  // some attempts may fail
  if (to - now < (to - from) / 4) return warning(`the certificate of ${host} ends on ${date(shown.validToDate)}, and was not renewed`, advice)
  return ok(`for ${mxHost}, until ${date(shown.validToDate)}; the next one comes from ${host} on ${date(new Date(renewalTime(shown)))}`)
}

/** Compares the certificate of the file with that of the server. @param shown that of the server; undefined when it shows none */
function differenceOf(shown: X509Certificate | undefined, pem: string, now: number): Finding | undefined {
  if (!shown || shown.fingerprint256 === new X509Certificate(pem).fingerprint256) return undefined
  const end = shown.validToDate
  return (end.getTime() < now ? problem : warning)(
    `the server shows another certificate than that of the file, which ${end.getTime() < now ? 'ended' : 'ends'} on ${date(end)}`,
    'Look for MAYFLY_TLS_CERT in its log: it reads new files within seconds, and keeps the old pair where its user cannot read them, or the key does not fit.',
  )
}

/** The certificate that the server of this configuration shows after STARTTLS; undefined where another program answers. */
async function served({ smtp, mxHost }: CheckContext['config']): Promise<X509Certificate | undefined> {
  const signal = AbortSignal.timeout(timeoutMs)
  const socket = connect({ host: reachableHost(smtp.host), port: smtp.port, signal }).on('error', () => {})
  try {
    for (const command of ['', `EHLO ${mxHost}`, 'STARTTLS']) {
      if (command) socket.write(`${command}\r\n`)
      let reply = ''
      while (!/^\d{3} .*\r\n/m.test(reply)) reply += String((await once(socket, 'data', { signal }) as [Buffer])[0])
      if (!command && !reply.startsWith(`220 ${mxHost} `)) return undefined
    }
    const secure = tlsConnect({ socket, rejectUnauthorized: false }).on('error', () => {})
    await once(secure, 'secureConnect', { signal })
    return secure.getPeerX509Certificate()
  } finally {
    socket.destroy()
  }
}

function describe(pem: string) {
  const found = new X509Certificate(pem)
  return {
    validFromDate: found.validFromDate,
    validToDate: found.validToDate,
    names: found.subjectAltName ?? found.subject,
    isFor: (name: string) => found.checkHost(name) !== undefined,
  }
}

const date = (time: Date) => time.toISOString().slice(0, 10)
