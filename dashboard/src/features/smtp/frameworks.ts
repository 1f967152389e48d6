import type { SmtpLogin } from '@mayfly-mail/sdk'

/** A login whose password is known, or a placeholder. */
export type KnownLogin = Pick<SmtpLogin, 'username' | 'host' | 'port' | 'security'> & { password: string }

interface Framework {
  /** The file that gets the settings. */
  file: string
  settings: (login: KnownLogin) => string
}

/**
 * The settings of frameworks for a login, by the name of the framework. With `starttls` they require encryption before the login where they
 * can: an attacker on the way could hide the offer of STARTTLS (RFC 3207, section 6).
 */
export const frameworks: Record<string, Framework> = {
  'nodemailer': {
    file: 'mailer.js',
    settings: ({ username, password, host, port, security }) => `import { createTransport } from 'nodemailer'

export const transport = createTransport({
  host: ${single(bare(host))},
  port: ${port},
  ${choose(security, 'secure: false,\n  ignoreTLS: true', 'secure: false,\n  requireTLS: true', 'secure: true')},
  auth: {
    user: ${single(username)},
    pass: ${single(password)},
  },
})`,
  },

  'Django': {
    file: 'settings.py',
    settings: ({ username, password, host, port, security }) => `EMAIL_BACKEND = 'django.core.mail.backends.smtp.EmailBackend'
EMAIL_HOST = ${single(bare(host))}
EMAIL_PORT = ${port}
EMAIL_HOST_USER = ${single(username)}
EMAIL_HOST_PASSWORD = ${single(password)}
EMAIL_USE_TLS = ${choose(security, 'False', 'True', 'False')}
EMAIL_USE_SSL = ${choose(security, 'False', 'False', 'True')}`,
  },

  'Rails': {
    file: 'config/environments/development.rb',
    settings: ({ username, password, host, port, security }) => `config.action_mailer.delivery_method = :smtp
config.action_mailer.smtp_settings = {
  address: ${single(bare(host))},
  port: ${port},
  user_name: ${single(username)},
  password: ${single(password)},
  authentication: :plain,
  ${choose(security, 'enable_starttls_auto: false', 'enable_starttls: true', 'tls: true,\n  enable_starttls_auto: false')}
}`,
  },

  'Laravel': {
    file: '.env',
    settings: ({ username, password, host, port, security }) => `MAIL_MAILER=smtp
MAIL_SCHEME=${choose(security, 'smtp', 'smtp', 'smtps')}
MAIL_HOST=${env(bare(host))}
MAIL_PORT=${port}
MAIL_USERNAME=${env(username)}
MAIL_PASSWORD=${env(password)}`,
  },

  'PHPMailer': {
    file: 'mailer.php',
    settings: ({ username, password, host, port, security }) => `$mail->isSMTP();
$mail->Host = ${single(bare(host))};
$mail->Port = ${port};
$mail->SMTPAuth = true;
$mail->Username = ${single(username)};
$mail->Password = ${single(password)};
${choose(security, '$mail->SMTPAutoTLS = false', '$mail->SMTPSecure = PHPMailer::ENCRYPTION_STARTTLS', '$mail->SMTPSecure = PHPMailer::ENCRYPTION_SMTPS')};`,
  },

  'Symfony': {
    file: '.env.local',
    settings: (login) => `MAILER_DSN=${env(urlOf(login, choose(login.security, '?auto_tls=false', '?require_tls=true', '')))}`,
  },

  'Spring Boot': {
    file: 'application.properties',
    settings: ({ username, password, host, port, security }) => `spring.mail.host=${property(bare(host))}
spring.mail.port=${port}
spring.mail.username=${property(username)}
spring.mail.password=${property(password)}
spring.mail.properties.mail.smtp.auth=true
${choose(security, 'spring.mail.properties.mail.smtp.starttls.enable=false', `spring.mail.properties.mail.smtp.starttls.enable=true
spring.mail.properties.mail.smtp.starttls.required=true`, 'spring.mail.properties.mail.smtp.ssl.enable=true')}`,
  },

  'ASP.NET (MailKit)': {
    file: 'Program.cs',
    settings: ({ username, password, host, port, security }) => `using MailKit.Net.Smtp;
using MailKit.Security;

using var client = new SmtpClient();
await client.ConnectAsync(${double(bare(host))}, ${port}, SecureSocketOptions.${choose(security, 'None', 'StartTls', 'SslOnConnect')});
await client.AuthenticateAsync(${double(username)}, ${double(password)});`,
  },

  'Go (go-mail)': {
    file: 'mail.go',
    settings: ({ username, password, host, port, security }) => `// import "github.com/wneessen/go-mail"
client, err := mail.NewClient(${double(bare(host))},
	mail.WithPort(${port}),
	mail.${choose(security, 'WithTLSPolicy(mail.NoTLS)', 'WithTLSPolicy(mail.TLSMandatory)', 'WithSSL()')},
	mail.WithSMTPAuth(mail.${choose(security, 'SMTPAuthPlainNoEnc', 'SMTPAuthPlain', 'SMTPAuthPlain')}),
	mail.WithUsername(${double(username)}),
	mail.WithPassword(${double(password)}),
)`,
  },

  'Phoenix (Swoosh)': {
    file: 'config/runtime.exs',
    settings: ({ username, password, host, port, security }) => `config :my_app, MyApp.Mailer,
  adapter: Swoosh.Adapters.SMTP,
  relay: ${elixir(bare(host))},
  port: ${port},
  username: ${elixir(username)},
  password: ${elixir(password)},
  auth: :always,
  no_mx_lookups: true,
  ssl: ${choose(security, 'false', 'false', 'true')},
  tls: ${choose(security, ':never', ':always', ':never')}${choose(security, '', `,
  tls_options: ${verify(bare(host))}`, `,
  sockopts: ${verify(bare(host))}`)}`,
  },

  'Keycloak': {
    file: 'realm.json',
    settings: ({ username, password, host, port, security }) => JSON.stringify({
      smtpServer: {
        host: bare(host), port: String(port), from: username, auth: 'true', user: username, password,
        starttls: choose(security, 'false', 'true', 'false'), ssl: choose(security, 'false', 'false', 'true'),
      },
    }, null, 2),
  },

  'GitLab': {
    file: '/etc/gitlab/gitlab.rb',
    settings: ({ username, password, host, port, security }) => `gitlab_rails['smtp_enable'] = true
gitlab_rails['smtp_address'] = ${single(bare(host))}
gitlab_rails['smtp_port'] = ${port}
gitlab_rails['smtp_user_name'] = ${single(username)}
gitlab_rails['smtp_password'] = ${single(password)}
gitlab_rails['smtp_authentication'] = 'plain'
gitlab_rails['smtp_enable_starttls_auto'] = ${choose(security, 'false', 'true', 'false')}
gitlab_rails['smtp_tls'] = ${choose(security, 'false', 'false', 'true')}`,
  },

  'Variables (SMTP_*)': {
    file: '.env',
    settings: (login) => `SMTP_URL=${env(urlOf(login))}
SMTP_HOST=${env(bare(login.host))}
SMTP_PORT=${login.port}
SMTP_USER=${env(login.username)}
SMTP_PASSWORD=${env(login.password)}
SMTP_STARTTLS=${choose(login.security, 'false', 'true', 'false')}
SMTP_TLS=${choose(login.security, 'false', 'false', 'true')}`,
  },
}

/** A value that is not known yet needs encryption at least. */
const choose = (security: KnownLogin['security'], none: string, starttls: string, tls: string): string =>
  security === 'none' ? none : security === 'tls' ? tls : starttls

/** The login as a URL, with its user name and password percent-encoded (RFC 3986, section 2.1). */
const urlOf = ({ username, password, host, port, security }: KnownLogin, query = ''): string =>
  `${security === 'tls' ? 'smtps' : 'smtp'}://${percent(username)}:${percent(password)}@${bracketed(host)}:${port}${query}`

const percent = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

/** An IPv6 address has brackets in a URL alone. */
const bare = (host: string) => host.replaceAll(/^\[|\]$/g, '')
const bracketed = (host: string) => bare(host).includes(':') ? `[${bare(host)}]` : host

/** In JavaScript, PHP, Python and Ruby. */
const single = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`
/** In Go and C#. */
const double = (text: string) => `"${text.replaceAll(/[\\"]/g, '\\$&')}"`
/** `#{` begins an expression. */
const elixir = (text: string) => double(text).replaceAll('#{', '\\#{')
const property = (text: string) => text.replaceAll('\\', '\\\\')
/** Single quotes, in which nothing is expanded; they cannot have an apostrophe in them. */
const env = (text: string) => text.includes("'") ? `"${text.replaceAll(/[\\"$]/g, '\\$&')}"` : `'${text}'`

/** Erlang verifies certificates by these options alone. */
const verify = (host: string) =>
  `[verify: :verify_peer, cacerts: :public_key.cacerts_get(), server_name_indication: ~c${elixir(host)}, depth: 3]`
