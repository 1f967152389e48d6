import { X509Certificate } from 'node:crypto'
import { dayMs } from '../../server/clock.ts'
import { ok, problem, warning } from './check.ts'
import type { Check } from './check.ts'

/** A certificate should be renewed this long before its expiry. */
const renewalDays = 14

/** The certificate of STARTTLS. */
export const certificate: Check = {
  name: 'tls',
  async run({ config: { smtp, mxHost }, isPublic, now }) {
    if (!smtp.tls) {
      const hasLoginPort = smtp.submissionPort !== null || smtp.smtpsPort !== null
      const found = `no certificate, so SMTP does not offer STARTTLS${hasLoginPort ? '; the ports for logins have a self-signed one' : ''}`
      return isPublic ? warning(found, 'Set MAYFLY_TLS_CERT and MAYFLY_TLS_KEY: without, mail comes unencrypted, and some hosts send none.') : ok(found)
    }
    const { validFromDate, validToDate, ...found } = describe(smtp.tls.cert)
    const renew = 'Renew it, and restart the server: it reads the file at its start.'
    const restMs = validToDate.getTime() - now
    if (restMs < 0) return problem(`the certificate ended on ${date(validToDate)}`, renew)
    if (validFromDate.getTime() > now) return problem(`the certificate begins on ${date(validFromDate)}`, 'Look at the clock of this machine.')
    if (restMs < renewalDays * dayMs) return warning(`the certificate ends on ${date(validToDate)}`, renew)
    if (!found.isFor(mxHost)) return warning(`the certificate is not for ${mxHost} but for ${found.names}`, `Get one for ${mxHost}, or set MAYFLY_MX_HOST.`)
    return ok(`for ${mxHost}, until ${date(validToDate)}`)
  },
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
