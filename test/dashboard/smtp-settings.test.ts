import { parseEnv } from 'node:util'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { createTransport } from 'nodemailer'
import { frameworks } from '../../dashboard/src/features/smtp/frameworks.ts'

type Read = (text: string) => Record<string, unknown>

interface Expectation {
  /** Where the framework describes these settings. */
  documentation: string
  read: Read
  /** The same for each kind of encryption. */
  login: Record<string, unknown>
  none: Record<string, unknown>
  starttls: Record<string, unknown>
  tls: Record<string, unknown>
}

const username = 'shop+a@mail.localhost'
const password = 'smtp_0a1b'
const [host, port] = ['mail.example.com', 2525]

/** Lines such as `NAME = 'value'`. */
const readLines = (pattern: RegExp): Read => (text) =>
  Object.fromEntries([...text.matchAll(pattern)].map(([, name, value]) => [name!, value!]))
const readUrl = (text: string) => {
  const { protocol, username: user, password: secret, hostname, port: number, search } = new URL(text)
  return { protocol, user: decodeURIComponent(user), secret: decodeURIComponent(secret), hostname, number, search }
}

const expectations: Record<string, Expectation> = {
  'nodemailer': {
    documentation: 'nodemailer.com/smtp, "TLS options"',
    read: (text) => runInNewContext(text.replace(/^import .*$/m, '').replace('export const transport = ', ''), {
      createTransport: (options: object) => createTransport(options).options,
    }) as Record<string, unknown>,
    login: { host, port, auth: { user: username, pass: password } },
    none: { secure: false, ignoreTLS: true },
    starttls: { secure: false, requireTLS: true },
    tls: { secure: true },
  },
  'Django': {
    documentation: 'docs.djangoproject.com/en/stable/ref/settings, EMAIL_USE_TLS is STARTTLS, EMAIL_USE_SSL is implicit TLS',
    read: readLines(/^(\w+) = (.*)$/gm),
    login: {
      EMAIL_BACKEND: "'django.core.mail.backends.smtp.EmailBackend'", EMAIL_HOST: `'${host}'`, EMAIL_PORT: '2525',
      EMAIL_HOST_USER: `'${username}'`, EMAIL_HOST_PASSWORD: `'${password}'`,
    },
    none: { EMAIL_USE_TLS: 'False', EMAIL_USE_SSL: 'False' },
    starttls: { EMAIL_USE_TLS: 'True', EMAIL_USE_SSL: 'False' },
    tls: { EMAIL_USE_TLS: 'False', EMAIL_USE_SSL: 'True' },
  },
  'Rails': {
    documentation: 'guides.rubyonrails.org/action_mailer_basics.html, smtp_settings; tls and enable_starttls exclude each other',
    read: readLines(/^ {2}(\w+): (.*?),?$/gm),
    login: { address: `'${host}'`, port: '2525', user_name: `'${username}'`, password: `'${password}'`, authentication: ':plain' },
    none: { enable_starttls_auto: 'false' },
    starttls: { enable_starttls: 'true' },
    tls: { tls: 'true', enable_starttls_auto: 'false' },
  },
  'Laravel': {
    documentation: 'laravel.com/docs/mail and config/mail.php, MAIL_SCHEME: smtp takes STARTTLS where it is offered, smtps is implicit TLS',
    read: parseEnv,
    login: { MAIL_MAILER: 'smtp', MAIL_HOST: host, MAIL_PORT: '2525', MAIL_USERNAME: username, MAIL_PASSWORD: password },
    none: { MAIL_SCHEME: 'smtp' },
    starttls: { MAIL_SCHEME: 'smtp' },
    tls: { MAIL_SCHEME: 'smtps' },
  },
  'PHPMailer': {
    documentation: 'github.com/PHPMailer/PHPMailer, SMTPSecure and SMTPAutoTLS, which takes STARTTLS where it is offered',
    read: readLines(/^\$mail->(\w+)(?: = |\()(.*?)\)?;$/gm),
    login: { isSMTP: '', Host: `'${host}'`, Port: '2525', SMTPAuth: 'true', Username: `'${username}'`, Password: `'${password}'` },
    none: { SMTPAutoTLS: 'false' },
    starttls: { SMTPSecure: 'PHPMailer::ENCRYPTION_STARTTLS' },
    tls: { SMTPSecure: 'PHPMailer::ENCRYPTION_SMTPS' },
  },
  'Symfony': {
    documentation: 'symfony.com/doc/current/mailer.html, "Disabling Automatic TLS" and "Require TLS"',
    read: (text) => readUrl(parseEnv(text)['MAILER_DSN']!),
    login: { user: username, secret: password, hostname: host, number: '2525' },
    none: { protocol: 'smtp:', search: '?auto_tls=false' },
    starttls: { protocol: 'smtp:', search: '?require_tls=true' },
    tls: { protocol: 'smtps:', search: '' },
  },
  'Spring Boot': {
    documentation: 'docs.spring.io/spring-boot/reference/io/email.html, and the properties mail.smtp.* of Jakarta Mail',
    read: readLines(/^([\w.]+)=(.*)$/gm),
    login: {
      'spring.mail.host': host, 'spring.mail.port': '2525', 'spring.mail.username': username, 'spring.mail.password': password,
      'spring.mail.properties.mail.smtp.auth': 'true',
    },
    none: { 'spring.mail.properties.mail.smtp.starttls.enable': 'false' },
    starttls: {
      'spring.mail.properties.mail.smtp.starttls.enable': 'true', 'spring.mail.properties.mail.smtp.starttls.required': 'true',
    },
    tls: { 'spring.mail.properties.mail.smtp.ssl.enable': 'true' },
  },
  'ASP.NET (MailKit)': {
    documentation: 'mimekit.net, MailKit.Security.SecureSocketOptions',
    read(text) {
      const [, to, number, security] = /ConnectAsync\("(.*)", (\d+), SecureSocketOptions\.(\w+)\);/.exec(text)!
      const [, user, secret] = /AuthenticateAsync\("(.*)", "(.*)"\);/.exec(text)!
      return { to, number, security, user, secret }
    },
    login: { to: host, number: '2525', user: username, secret: password },
    none: { security: 'None' },
    starttls: { security: 'StartTls' },
    tls: { security: 'SslOnConnect' },
  },
  'Go (go-mail)': {
    documentation: 'pkg.go.dev/github.com/wneessen/go-mail, TLSPolicy, WithSSL and SMTPAuthPlainNoEnc',
    read: readLines(/mail\.(NewClient|With\w+)\((.*?)\)?,$/gm),
    login: { NewClient: `"${host}"`, WithPort: '2525', WithUsername: `"${username}"`, WithPassword: `"${password}"` },
    none: { WithTLSPolicy: 'mail.NoTLS', WithSMTPAuth: 'mail.SMTPAuthPlainNoEnc' },
    starttls: { WithTLSPolicy: 'mail.TLSMandatory', WithSMTPAuth: 'mail.SMTPAuthPlain' },
    tls: { WithSSL: '', WithSMTPAuth: 'mail.SMTPAuthPlain' },
  },
  'Phoenix (Swoosh)': {
    documentation: 'hexdocs.pm/swoosh/Swoosh.Adapters.SMTP.html and hexdocs.pm/gen_smtp, with STARTTLS ssl is false',
    read: readLines(/^ {2}(\w+): (.*?),?$/gm),
    login: {
      adapter: 'Swoosh.Adapters.SMTP', relay: `"${host}"`, port: '2525', username: `"${username}"`, password: `"${password}"`, auth: ':always',
      no_mx_lookups: 'true',
    },
    none: { ssl: 'false', tls: ':never' },
    starttls: { ssl: 'false', tls: ':always', tls_options: verifying(host) },
    tls: { ssl: 'true', tls: ':never', sockopts: verifying(host) },
  },
  'Keycloak': {
    documentation: 'keycloak.org/docs-api, smtpServer of RealmRepresentation, whose values are strings',
    read: (text) => (JSON.parse(text) as { smtpServer: Record<string, unknown> }).smtpServer,
    login: { host, port: '2525', from: username, auth: 'true', user: username, password },
    none: { starttls: 'false', ssl: 'false' },
    starttls: { starttls: 'true', ssl: 'false' },
    tls: { starttls: 'false', ssl: 'true' },
  },
  'GitLab': {
    documentation: 'docs.gitlab.com/omnibus/settings/smtp, smtp_tls and smtp_enable_starttls_auto exclude each other',
    read: readLines(/^gitlab_rails\['(\w+)'\] = (.*)$/gm),
    login: {
      smtp_enable: 'true', smtp_address: `'${host}'`, smtp_port: '2525', smtp_user_name: `'${username}'`, smtp_password: `'${password}'`,
      smtp_authentication: "'plain'",
    },
    none: { smtp_enable_starttls_auto: 'false', smtp_tls: 'false' },
    starttls: { smtp_enable_starttls_auto: 'true', smtp_tls: 'false' },
    tls: { smtp_enable_starttls_auto: 'false', smtp_tls: 'true' },
  },
  'Variables (SMTP_*)': {
    documentation: 'the URL is that of nodemailer.com/smtp and of the API',
    read: (text) => {
      const { SMTP_URL, ...others } = parseEnv(text)
      return { ...others, ...readUrl(SMTP_URL!) }
    },
    login: { SMTP_HOST: host, SMTP_PORT: '2525', SMTP_USER: username, SMTP_PASSWORD: password, user: username, secret: password, hostname: host, number: '2525', search: '' },
    none: { protocol: 'smtp:', SMTP_STARTTLS: 'false', SMTP_TLS: 'false' },
    starttls: { protocol: 'smtp:', SMTP_STARTTLS: 'true', SMTP_TLS: 'false' },
    tls: { protocol: 'smtps:', SMTP_STARTTLS: 'false', SMTP_TLS: 'true' },
  },
}

function verifying(name: string) {
  return `[verify: :verify_peer, cacerts: :public_key.cacerts_get(), server_name_indication: ~c"${name}", depth: 3]`
}

describe('Dashboard: SMTP settings of frameworks', () => {
  it('are of all frameworks that are tested here', () => {
    expect(Object.keys(frameworks)).to.deep.equal(Object.keys(expectations))
  })

  for (const [name, { documentation, read, login, ...byEncryption }] of Object.entries(expectations)) {
    for (const security of ['none', 'starttls', 'tls'] as const) {
      it(`of ${name} with the encryption ${security}, by ${documentation}`, () => {
        const settings = read(frameworks[name]!.settings({ username, password, host, port, security }))
        expect({ ...settings }).to.deep.equal({ ...login, ...byEncryption[security] })
      })
    }
  }

  const settingsOf = (name: string, changes: object) =>
    frameworks[name]!.settings({ username, password, host, port, security: 'none', ...changes })

  it('quote a password, and percent-encode it in URLs', () => {
    const hostile = `a'b"c\\d#{e}$f%g h@i/j?k`
    expect(expectations['nodemailer']!.read(settingsOf('nodemailer', { password: hostile }))).to.deep.include({ auth: { user: username, pass: hostile } })
    expect(expectations['Keycloak']!.read(settingsOf('Keycloak', { password: hostile }))).to.include({ password: hostile })
    expect(readUrl(/'(.*)'/.exec(settingsOf('Symfony', { password: hostile }))![1]!)).to.include({ secret: hostile, user: username })
    expect(settingsOf('Symfony', { password: hostile })).to.include('a%27b%22c%5Cd%23%7Be%7D%24f%25g%20h%40i%2Fj%3Fk@')
    expect(settingsOf('Django', { password: hostile })).to.include(String.raw`EMAIL_HOST_PASSWORD = 'a\'b"c\\d#{e}$f%g h@i/j?k'`)
    expect(settingsOf('Laravel', { password: hostile })).to.include(String.raw`MAIL_PASSWORD="a'b\"c\\d#{e}\$f%g h@i/j?k"`)
    expect(settingsOf('Go (go-mail)', { password: hostile })).to.include(String.raw`mail.WithPassword("a'b\"c\\d#{e}$f%g h@i/j?k")`)
    expect(settingsOf('Phoenix (Swoosh)', { password: hostile })).to.include(String.raw`password: "a'b\"c\\d\#{e}$f%g h@i/j?k"`)
    expect(settingsOf('Spring Boot', { password: hostile })).to.include(String.raw`spring.mail.password=a'b"c\\d#{e}$f%g h@i/j?k`)
  })

  it('write an IPv6 address with brackets in URLs alone', () => {
    for (const given of ['::1', '[::1]']) {
      expect(settingsOf('Symfony', { host: given })).to.include('@[::1]:2525')
      expect(settingsOf('Variables (SMTP_*)', { host: given })).to.include('@[::1]:2525\'').and.include("SMTP_HOST='::1'")
      expect(settingsOf('Django', { host: given })).to.include("EMAIL_HOST = '::1'")
    }
  })

  it('require encryption of a server whose kind is not known', () => {
    expect(settingsOf('nodemailer', { security: 'later' })).to.include('requireTLS: true')
  })
})
