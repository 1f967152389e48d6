import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { text } from 'node:stream/consumers'
import { createTransport } from 'nodemailer'

/** The recipients of the mail that each client sends: two in To, one in Cc, two in Bcc. */
export const recipients = ['ada@customer.example', 'grace@customer.example', 'team@other.example', 'audit@hidden.example', 'log@hidden.example']
const [ada, grace, team, audit, log] = recipients as [string, string, string, string, string]
const sender = 'app@shop.example'

/** How a client reaches the server. */
export interface ClientSettings {
  host: string
  port: number
  /** Each client has to require it. */
  security: 'starttls' | 'tls'
  username: string
  password: string
  /** A file with the certificate to trust. */
  ca: string
  subject: string
}

interface ProgramCall {
  program: string
  args: string[]
  stdin?: string
}

export interface SmtpClientProgram {
  name: string
  /** Undefined where it is not installed on this machine. */
  send: ((settings: ClientSettings) => Promise<void>) | undefined
}

const body = 'Your code is 482913.\n'
const source = ({ subject }: ClientSettings, bcc = '') =>
  `From: ${sender}\nTo: ${ada}, ${grace}\nCc: ${team}\n${bcc}Subject: ${subject}\n\n${body}`
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** A client that is a program. @param check a call that succeeds where it is installed */
function program(name: string, check: [string, ...string[]], callOf: (settings: ClientSettings) => ProgramCall): SmtpClientProgram {
  const [command, ...args] = check
  const isInstalled = spawnSync(command, args, { stdio: 'ignore' }).status === 0
  return { name, send: isInstalled ? (settings) => run(callOf(settings), settings) : undefined }
}

/** A client that is a library, and a program of `test/smtp/clients`, which reads the settings from its environment. */
const library = (name: string, check: [string, ...string[]], path: string, args: string[] = []): SmtpClientProgram =>
  program(name, check, () => ({ program: check[0], args: [...args, file(path)] }))

/** @throws Error with the output of the program when it fails */
async function run({ program, args, stdin = '' }: ProgramCall, { host, port, security, username, password, ca, subject }: ClientSettings) {
  const child = spawn(program, args, {
    env: {
      ...process.env, MAIL_HOST: host, MAIL_PORT: String(port), MAIL_SECURITY: security, MAIL_USERNAME: username, MAIL_PASSWORD: password,
      MAIL_CA: ca, MAIL_SUBJECT: subject, SSL_CERT_FILE: ca,
    },
  })
  child.stdin.on('error', () => {}).end(stdin)
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${output}${errors}`)
}

const python = (module: string) => ['python3', '/usr/bin/python3'].find((path) => spawnSync(path, ['-c', `import ${module}`]).status === 0) ?? 'python3'

export const smtpClients = (): SmtpClientProgram[] => [
  {
    name: 'nodemailer',
    async send({ host, port, security, username, password, ca, subject }) {
      const { readFileSync } = await import('node:fs')
      const transport = createTransport({
        host, port, secure: security === 'tls', requireTLS: true, auth: { user: username, pass: password }, tls: { ca: readFileSync(ca) },
      })
      await transport.sendMail({ from: sender, to: [ada, grace], cc: team, bcc: [audit, log], subject, text: body })
    },
  },
  program('curl', ['curl', '--version'], (settings) => ({
    program: 'curl',
    args: [
      '--silent', '--show-error', '--ssl-reqd', '--cacert', settings.ca, '--user', `${settings.username}:${settings.password}`,
      '--url', `${settings.security === 'tls' ? 'smtps' : 'smtp'}://${settings.host}:${settings.port}`,
      '--mail-from', sender, ...recipients.flatMap((recipient) => ['--mail-rcpt', recipient]), '--crlf', '--upload-file', '-',
    ],
    stdin: source(settings),
  })),
  program('swaks', ['swaks', '--version'], ({ host, port, security, username, password, ca, subject }) => ({
    program: 'swaks',
    args: [
      '--server', host, '--port', String(port), security === 'tls' ? '--tlsc' : '--tls', '--tls-verify', '--tls-ca-path', ca,
      '--auth', 'LOGIN', '--auth-user', username, '--auth-password', password, '--from', sender, '--to', recipients.join(','),
      '--header', `Subject: ${subject}`, '--header', `To: ${ada}, ${grace}`, '--add-header', `Cc: ${team}`, '--body', body,
    ],
  })),
  program('msmtp', ['msmtp', '--version'], (settings) => ({
    program: 'msmtp',
    args: [
      `--host=${settings.host}`, `--port=${settings.port}`, '--tls=on', `--tls-starttls=${settings.security === 'starttls' ? 'on' : 'off'}`,
      `--tls-trust-file=${settings.ca}`, '--auth=on', `--user=${settings.username}`, '--passwordeval=printenv MAIL_PASSWORD',
      `--from=${sender}`, '--read-recipients',
    ],
    stdin: source(settings, `Bcc: ${audit}, ${log}\n`),
  })),
  program('s-nail', ['s-nail', '--version'], ({ host, port, security, username, password, ca, subject }) => ({
    program: 's-nail',
    args: [
      '-:/', '-Sv15-compat', '-Ssendwait', '-Snosave', `-Sfrom=${sender}`, `-Stls-ca-file=${ca}`, '-Stls-ca-no-defaults', '-Stls-verify=strict',
      `-Smta=${security === 'tls' ? 'smtps' : 'smtp'}://${encodeURIComponent(username)}:${password}@${host}:${port}`,
      ...security === 'starttls' ? ['-Ssmtp-use-starttls'] : [], '-Ssmtp-auth=plain',
      '-s', subject, '-c', team, '-b', audit, '-b', log, ada, grace,
    ],
    stdin: body,
  })),
  library('Python smtplib', ['python3', '--version'], 'mail.py'),
  library('Django', [python('django'), '-c', 'import django'], 'django_mail.py'),
  library('PHPMailer', ['php', '-r', "exit(file_exists('/usr/share/php/libphp-phpmailer/autoload.php') ? 0 : 1);"], 'mail.php'),
  library('Ruby net/smtp', ['ruby', '-rnet/smtp', '-e', ''], 'mail.rb'),
  library('Perl Net::SMTP', ['perl', '-MNet::SMTP', '-MIO::Socket::SSL', '-MAuthen::SASL', '-e', ''], 'mail.pl'),
  library('Go net/smtp', ['go', 'version'], 'mail.go', ['run']),
]
