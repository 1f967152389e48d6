import type { Config } from './config.ts'

/** A port of the SMTP listener, and the variable that sets it; null for none. */
export interface SmtpPort {
  variable: string
  port: number | null
}

/** Whether the port for mail of other servers offers STARTTLS. */
export const offersStartTls = ({ tls, acme }: Config['smtp']): boolean => tls !== null || acme !== null

/** The port for mail of other servers, and those for logins: with STARTTLS, and with implicit TLS. */
export const smtpPorts = ({ port, submissionPort, smtpsPort }: Config['smtp']): Record<'mx' | 'submission' | 'smtps', SmtpPort> => ({
  mx: { variable: 'MAYFLY_SMTP_PORT', port },
  submission: { variable: 'MAYFLY_SUBMISSION_PORT', port: submissionPort },
  smtps: { variable: 'MAYFLY_SMTPS_PORT', port: smtpsPort },
})
