import { expect } from 'chai'
import { generateKeyPairSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { ConfigError, readConfig } from '../../server/config/config.ts'

const pem = (name: string) => fileURLToPath(new URL(`../support/self-signed/${name}.pem`, import.meta.url))

describe('Configuration', () => {
  it('has a default for every variable', () => {
    expect(readConfig({})).to.deep.equal({
      http: { host: '127.0.0.1', port: 3000, corsOrigins: [], trustedProxies: [], clientHeader: 'x-forwarded-for' },
      smtp: {
        host: '127.0.0.1', port: 2525, submissionPort: null, smtpsPort: null, maxMessageBytes: 26_214_400, insecureAuth: false, tls: null, acme: null,
      },
      database: './data/mayfly.db', cells: null,
      sources: null, maxWaitingSourceBytes: 1_073_741_824,
      baseUrl: 'http://localhost:3000',
      defaultDomain: 'mail.localhost',
      mxHost: 'mail.localhost',
      mtaStsMode: null, securityContact: null,
      outbound: { kind: 'capture' },
      dnsServers: [],
      signingKey: null,
      initialApiKey: null,
      signUp: 'closed', signInProvider: null, freeSending: false, maxDailyMails: 20_000,
      admins: [],
      rateLimit: 100, reservedAliases: [], catchAll: null, catchAllNetworks: ['127.0.0.0/8', '::1/128'], compatibleApis: [],
      memoryBytes: 134_217_728,
      parseThreads: Math.max(1, availableParallelism() - 1),
      maxAccountBytes: 0,
      retentionSeconds: 604_800,
      drainSeconds: 0,
      auditRetentionDays: 90,
      allowPrivateMx: false,
      allowPrivateWebhooks: false,
      minFreeBytes: 1_073_741_824,
      logLevel: 'info',
      metrics: 'auto',
    })
  })

  for (const [name, value, read, expected] of [
    ['MAYFLY_HTTP_PORT', ' 8080 ', 'http.port', 8080],
    ['MAYFLY_HTTP_PORT', '0', 'http.port', 0],
    ['MAYFLY_HTTP_PORT', '3001', 'baseUrl', 'http://localhost:3001'],
    ['MAYFLY_HTTP_PORT', '0', 'baseUrl', null],
    ['MAYFLY_HTTP_PORT', '  ', 'http.port', 3000],
    ['MAYFLY_HTTP_HOST', '::', 'http.host', '::'],
    ['MAYFLY_SUBMISSION_PORT', '587', 'smtp.submissionPort', 587],
    ['MAYFLY_SUBMISSION_PORT', '0', 'smtp.submissionPort', 0],
    ['MAYFLY_SMTPS_PORT', '465', 'smtp.smtpsPort', 465],
    ['MAYFLY_SMTPS_PORT', ' ', 'smtp.smtpsPort', null],
    ['MAYFLY_CORS_ORIGINS', 'https://a.example.org, http://localhost:5173', 'http.corsOrigins', ['https://a.example.org', 'http://localhost:5173']],
    ['MAYFLY_CORS_ORIGINS', 'http://127.0.0.1:4021,http://[::1]:4021', 'http.corsOrigins', ['http://127.0.0.1:4021', 'http://[::1]:4021']],
    ['MAYFLY_CORS_ORIGINS', '*', 'http.corsOrigins', ['*']],
    ['MAYFLY_BASE_URL', 'https://mail.example.org/mayfly//', 'baseUrl', 'https://mail.example.org/mayfly'],
    ['MAYFLY_TRUSTED_PROXIES', '127.0.0.1, 10.0.0.0/8,fd00::/8', 'http.trustedProxies', ['127.0.0.1', '10.0.0.0/8', 'fd00::/8']],
    ['MAYFLY_CLIENT_HEADER', 'CF-Connecting-IP', 'http.clientHeader', 'cf-connecting-ip'],
    ['MAYFLY_DEFAULT_DOMAIN', 'Mail.Example.ORG', 'defaultDomain', 'mail.example.org'],
    ['MAYFLY_DEFAULT_DOMAIN', 'Mail.Example.ORG', 'mxHost', 'mail.example.org'],
    ['MAYFLY_OUTBOUND', 'direct', 'outbound', { kind: 'direct' }],
    ['MAYFLY_OUTBOUND', 'smtps://u:p@relay.example.org:465', 'outbound', { kind: 'smarthost', url: 'smtps://u:p@relay.example.org:465' }],
    ['MAYFLY_MTA_STS', 'testing', 'mtaStsMode', 'testing'],
    ['MAYFLY_SECURITY_CONTACT', 'mailto:security@example.com', 'securityContact', 'mailto:security@example.com'],
    ['MAYFLY_SECURITY_CONTACT', 'https://example.com/security', 'securityContact', 'https://example.com/security'],
    ['MAYFLY_DNS_SERVERS', '192.0.2.1, [2001:db8::1]:5353,192.0.2.2:53', 'dnsServers', ['192.0.2.1', '[2001:db8::1]:5353', '192.0.2.2:53']],
    ['MAYFLY_ALLOW_PRIVATE_MX', 'true', 'allowPrivateMx', true],
    ['MAYFLY_ALLOW_PRIVATE_WEBHOOKS', 'true', 'allowPrivateWebhooks', true],
    ['MAYFLY_MIN_FREE_BYTES', '0', 'minFreeBytes', 0],
    ['MAYFLY_SIGN_UP', 'open', 'signUp', 'open'],
    ['MAYFLY_SIGN_UP', 'Example.com, qa.example.org', 'signUp', ['example.com', 'qa.example.org']],
    ['MAYFLY_RESERVED_ALIASES', 'Concierge, front.desk', 'reservedAliases', ['concierge', 'front.desk']],
    ['MAYFLY_COMPATIBLE_APIS', 'mailhog, maildev', 'compatibleApis', ['mailhog', 'maildev']],
    ['MAYFLY_ADMINS', 'Ada@Example.com,grace@example.com', 'admins', ['ada@example.com', 'grace@example.com']],
    ['MAYFLY_ADMINS', 'ada@münchen.example', 'admins', ['ada@xn--mnchen-3ya.example']],
    ['MAYFLY_FREE_SENDING', 'true', 'freeSending', true],
    ['MAYFLY_MAX_DAILY_MAILS', '0', 'maxDailyMails', 0],
    ['MAYFLY_RATE_LIMIT', '1', 'rateLimit', 1],
    ['MAYFLY_RATE_LIMIT', '0', 'rateLimit', 0],
    ['MAYFLY_MEMORY_BYTES', '1073741824', 'memoryBytes', 1_073_741_824],
    ['MAYFLY_PARSE_THREADS', '4', 'parseThreads', 4],
    ['MAYFLY_MAX_ACCOUNT_BYTES', '10000000000', 'maxAccountBytes', 10_000_000_000],
    ['MAYFLY_BASE_URL', 'HTTPS://Mail.Example.org:443/my fly//', 'baseUrl', 'https://mail.example.org/my%20fly'],
    ['MAYFLY_METRICS', 'auto', 'metrics', 'auto'],
    ['MAYFLY_METRICS', ' true ', 'metrics', 'true'],
    ['MAYFLY_METRICS', 'false', 'metrics', 'false'],
    ['MAYFLY_AUDIT_RETENTION_DAYS', '365', 'auditRetentionDays', 365],
  ] as const) {
    it(`reads ${name}=${JSON.stringify(value)}`, () => {
      expect(readConfig({ [name]: value })).to.have.deep.nested.property(read, expected)
    })
  }

  for (const [name, values, sentence] of [
    ['MAYFLY_SIGN_UP', ['opne', 'all', 'ada@example.com'], 'is not closed, open, or a mail domain such as example.com'],
    ['MAYFLY_RESERVED_ALIASES', ['a b', 'ada@example.com', '.a', 'a+b', 'ä'], 'is not an alias, the part of an address before the @, such as concierge'],
    ['MAYFLY_COMPATIBLE_APIS', ['mailcatcher', 'all', 'MailHog'], 'is none of mailpit, mailhog, maildev'],
    ['MAYFLY_ADMINS', ['ada', '@', 'a b@c', '\u212Aa@example.com'], 'is not an email address such as ada@example.com'],
    ['MAYFLY_MTA_STS', ['on', 'Enforce'], 'is none of enforce, testing, none'],
    ['MAYFLY_SECURITY_CONTACT', ['security@example.com', 'http://example.com', 'mailto:ada', 'https://', 'https://a.example/\nx'], 'is not an https URL, or mailto: and an address, such as mailto:security@example.com'],
    ['MAYFLY_HTTP_PORT', ['-1', '65536', '80.5', '1e3', '0x50', 'http', '３０００'], 'is not a whole number from 0 to 65535'],
    ['MAYFLY_SMTP_PORT', ['-1', '65536', 'smtp'], 'is not a whole number from 0 to 65535'],
    ['MAYFLY_SUBMISSION_PORT', ['-1', '65536', 'off'], 'is not a whole number from 0 to 65535'],
    ['MAYFLY_SMTPS_PORT', ['-1', '65536', 'tls'], 'is not a whole number from 0 to 65535'],
    ['MAYFLY_MAX_MESSAGE_BYTES', ['0', '1023', '25M', '1073741825'], 'is not a whole number from 1024 to 1073741824'],
    ['MAYFLY_FREE_SENDING', ['yes', '1'], 'is none of true, false'],
    ['MAYFLY_MAX_DAILY_MAILS', ['-1', '1e3', '1000000001'], 'is not a whole number from 0 to 1000000000'],
    ['MAYFLY_RATE_LIMIT', ['-5', '1.5', 'unlimited'], 'is not a whole number from 0 to 1000000000'],
    ['MAYFLY_MEMORY_BYTES', ['0', '100663295', '128MB'], 'is not a whole number from 100663296 to 9007199254740991'],
    ['MAYFLY_PARSE_THREADS', ['0', '65', 'all'], 'is not a whole number from 1 to 64'],
    ['MAYFLY_MAX_ACCOUNT_BYTES', ['-1', '1GB'], 'is not a whole number from 0 to 9007199254740991'],
    ['MAYFLY_RETENTION_SECONDS', ['59', '7d', '99999999999999999999'], 'is not a whole number from 60 to 3153600000'],
    ['MAYFLY_DRAIN_SECONDS', ['-1', '3601', '10s'], 'is not a whole number from 0 to 3600'],
    ['MAYFLY_AUDIT_RETENTION_DAYS', ['0', '90d', '1.5', '36501'], 'is not a whole number from 1 to 36500'],
    ['MAYFLY_MIN_FREE_BYTES', ['-1', '1GB', '9007199254740992'], 'is not a whole number from 0 to 9007199254740991'],
    ['MAYFLY_BASE_URL', ['localhost:3000', 'ftp://example.org', '/mayfly', 'https://', 'https:example.org', 'http:/example.org'], 'is not an http or https URL such as https://mail.example.com'],
    ['MAYFLY_BASE_URL', ['https://mail.example.org/?a', 'https://mail.example.org/#a'], 'has a query or a fragment; leave it out'],
    ['MAYFLY_BASE_URL', ['https://example.org/api', 'https://example.org/docs/mayfly', 'https://example.org/%61pi', 'https://example.org/compatible'], 'has a path of the server itself; use another, such as /mayfly'],
    ['MAYFLY_DEFAULT_DOMAIN', ['a b', '-a.example', 'a..b', '.a', 'a.', 'bücher.example', 'a_b', `${'a'.repeat(64)}.b`, 'a@b'], 'is not a host name such as mail.example.com'],
    ['MAYFLY_MX_HOST', ['mx 1', 'http://mx'], 'is not a host name such as mail.example.com'],
    ['MAYFLY_ALLOW_PRIVATE_MX', ['yes', '1', 'TRUE'], 'is none of true, false'],
    ['MAYFLY_ALLOW_PRIVATE_WEBHOOKS', ['yes', '1', 'TRUE'], 'is none of true, false'],
    ['MAYFLY_LOG_LEVEL', ['verbose', 'INFO'], 'is none of fatal, error, warn, info, debug, trace, silent'],
    ['MAYFLY_METRICS', ['yes', 'off', 'AUTO', 'loopback'], 'is none of auto, true, false'],
    ['MAYFLY_DNS_SERVERS', ['dns.example.org', '192.0.2.1,nonsense', '192.0.2.1:dns', '192.0.2.1:99999', '192.0.2.1:0'], 'is not an IP address, with a port or without'],
    ['MAYFLY_DKIM_SELECTOR', ['a b', '_dkim', 'sel.'], 'is not a host name such as mail.example.com'],
    ['MAYFLY_CORS_ORIGINS', [
      'example.org', 'https://example.org/', 'https://example.org/app', 'https://a.example,nonsense', 'null',
      'https://*.example.com', 'https://a.example,https://*', '**', 'ftp://example.org', 'wss://example.org', 'https://EXAMPLE.org',
      'https://example.org:443', 'https://a..example', 'https://[::1',
    ], 'is not an origin such as https://app.example.com; name each one, or * for all'],
    ['MAYFLY_CLIENT_HEADER', ['X-Real-IP Forwarded', 'Forwarded:', 'für', '-'], 'is not the name of one header, such as X-Forwarded-For, Forwarded or X-Real-IP'],
    ['MAYFLY_TRUSTED_PROXIES', ['proxy.example.org', '10.0.0.0/33', '10.0.0.0/', '::1/129', '10.0.0.0/8/8', '10.1', '127.0.0.1,loopback'], 'is not an IP address, or a network such as 10.0.0.0/8 or fd00::/8'],
  ] as const) {
    for (const value of values) {
      it(`refuses ${name}=${JSON.stringify(value)}`, () => {
        expect(refusal({ [name]: value })).to.equal(`${name}: "${value.split(',').at(-1)!}" ${sentence}`)
      })
    }
  }

  describe('of a sign-in provider', () => {
    const all = { MAYFLY_OIDC_ISSUER: 'https://id.example.com/realm', MAYFLY_OIDC_CLIENT_ID: 'mayfly', MAYFLY_OIDC_CLIENT_SECRET: 's' }

    it('has issuer, client and secret together', () => {
      expect(readConfig(all).signInProvider).to.deep.equal({ issuer: 'https://id.example.com/realm', clientId: 'mayfly', clientSecret: 's' })
      expect(refusal({ ...all, MAYFLY_OIDC_CLIENT_SECRET: '' }))
        .to.equal('MAYFLY_OIDC_CLIENT_SECRET: is needed when MAYFLY_OIDC_ISSUER and MAYFLY_OIDC_CLIENT_ID are set')
      expect(refusal({ MAYFLY_OIDC_CLIENT_ID: 'mayfly' })).to.equal('MAYFLY_OIDC_ISSUER: is needed when MAYFLY_OIDC_CLIENT_ID is set')
    })

    for (const issuer of ['http://127.0.0.1:8080', 'http://localhost:8080/realm', 'http://[::1]:8080']) {
      it(`takes ${issuer}, on this machine`, () => {
        expect(readConfig({ ...all, MAYFLY_OIDC_ISSUER: issuer }).signInProvider!.issuer).to.equal(issuer)
      })
    }

    for (const issuer of ['http://id.example.com', 'id.example.com', 'https://ada:b@id.example.com', 'https://id.example.com/?a', 'ftp://id.example.com']) {
      it(`refuses ${issuer}`, () => {
        expect(refusal({ ...all, MAYFLY_OIDC_ISSUER: issuer }))
          .to.equal('MAYFLY_OIDC_ISSUER: is not the https URL of a provider, such as https://accounts.google.com, without a password and a query')
      })
    }
  })

  it('takes a certificate by ACME, from Let\'s Encrypt or another authority', () => {
    const email = { MAYFLY_ACME_EMAIL: 'ada@example.com' }
    expect(readConfig({ ...email, MAYFLY_MTA_STS: 'enforce' }).smtp.acme).to.deep.equal({
      directory: 'https://acme-v02.api.letsencrypt.org/directory', email: 'ada@example.com', tlsPort: null,
    })
    expect(readConfig({ ...email, MAYFLY_ACME_TLS_PORT: '443' }).smtp.acme).to.include({ tlsPort: 443 })
    expect(refusal({ ...email, MAYFLY_TLS_CERT: pem('cert'), MAYFLY_TLS_KEY: pem('key') }))
      .to.equal('MAYFLY_ACME_EMAIL: MAYFLY_TLS_CERT has a certificate already. Remove one of them')
    expect(refusal({ ...email, MAYFLY_ACME_DIRECTORY: 'http://ca.example.com' })).to.match(/^MAYFLY_ACME_DIRECTORY: is not the https URL of a certificate authority, /)
    expect(refusal({ MAYFLY_ACME_TLS_PORT: '443' })).to.equal('MAYFLY_ACME_EMAIL: is needed when MAYFLY_ACME_TLS_PORT is set')
    expect(refusal({ ...email, MAYFLY_ACME_TLS_PORT: '2525' })).to.equal('MAYFLY_SMTP_PORT: 2525 is the port of MAYFLY_ACME_TLS_PORT already; choose another one')
  })

  it('refuses an enforced policy of TLS without a certificate', () => {
    expect(refusal({ MAYFLY_MTA_STS: 'enforce' })).to.equal('MAYFLY_MTA_STS: enforce is for a server with MAYFLY_TLS_CERT and MAYFLY_TLS_KEY, or MAYFLY_ACME_EMAIL')
    expect(readConfig({ MAYFLY_MTA_STS: 'enforce', MAYFLY_TLS_CERT: pem('cert'), MAYFLY_TLS_KEY: pem('key') }).mtaStsMode).to.equal('enforce')
  })

  it('refuses MAYFLY_BASE_URL with a password, without repeating it', () => {
    expect(refusal({ MAYFLY_BASE_URL: 'https://ada:secret@mail.example.org' }))
      .to.equal('MAYFLY_BASE_URL: the URL has a user name or a password, which links would show; leave them out')
  })

  it('refuses one port for two listeners of SMTP, except 0, which takes any free port', () => {
    expect(refusal({ MAYFLY_SUBMISSION_PORT: '2525' })).to.equal('MAYFLY_SUBMISSION_PORT: 2525 is the port of MAYFLY_SMTP_PORT already; choose another one')
    expect(refusal({ MAYFLY_SMTPS_PORT: '2525' })).to.equal('MAYFLY_SMTPS_PORT: 2525 is the port of MAYFLY_SMTP_PORT already; choose another one')
    expect(refusal({ MAYFLY_SUBMISSION_PORT: '587', MAYFLY_SMTPS_PORT: '587' }))
      .to.equal('MAYFLY_SMTPS_PORT: 587 is the port of MAYFLY_SUBMISSION_PORT already; choose another one')
    expect(readConfig({ MAYFLY_SMTP_PORT: '0', MAYFLY_SUBMISSION_PORT: '0', MAYFLY_SMTPS_PORT: '0' }).smtp).to.include({ port: 0, submissionPort: 0, smtpsPort: 0 })
  })

  for (const value of ['file:///mayfly.db', 'mysql://user:secret@db/mayfly']) {
    it(`refuses MAYFLY_DATABASE=${value}, without repeating the value, which may have a password`, () => {
      expect(refusal({ MAYFLY_DATABASE: value })).to.equal('MAYFLY_DATABASE: takes a file, or a URL that begins with postgres://')
    })
  }

  describe('for a smart host', () => {
    const takes = 'takes capture, direct, or smtp://user:password@host:port, or smtps://'
    const encode = 'In a user or a password, write / as %2F, @ as %40, # as %23, ? as %3F and % as %25'
    for (const [value, sentence] of [
      ['smtp', takes], ['smtp:', takes], ['https://relay.example.org', takes], ['user:secret@relay', takes], ['none', takes],
      ['smtp://ada:secret/secret@relay', `is not a URL such as smtp://user:password@host:port. ${encode}`],
      ['smtp://ada:25/secret@relay', `the URL has a /, # or @ behind its host. ${encode}`],
      ['smtp://ada:25#secret@relay', `the URL has a /, # or @ behind its host. ${encode}`],
      ['smtp://ada:25?secret@relay', `the URL has a /, # or @ behind its host. ${encode}`],
      ['smtp://relay/x', `the URL has a /, # or @ behind its host. ${encode}`],
      ['smtp://relay:0', 'the URL has no host, or the port 0: smtp://user:password@host:port'],
      ['smtp://:secret@relay', 'the URL has a password without a user: smtp://user:password@host:port'],
      ['smtp://relay?tsl=required', 'the URL has a parameter that is none of tls'],
      ['smtp://relay?tls=secret', 'tls of the URL is none of required'],
    ] as const) {
      it(`refuses MAYFLY_OUTBOUND=${value}, without repeating the value, which may have a password`, () => {
        expect(refusal({ MAYFLY_OUTBOUND: value })).to.equal(`MAYFLY_OUTBOUND: ${sentence}`)
      })
    }

    it('reads the password from a file, without a line break at its end', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'mayfly-password-'))
      try {
        const file = join(folder, 'password')
        await writeFile(file, 'a/b#c %41@\n')
        const variables = { MAYFLY_OUTBOUND: 'smtps://ada%40example.org@relay?tls=required', MAYFLY_OUTBOUND_PASSWORD_FILE: file }
        expect(readConfig(variables).outbound).to.deep.equal({ kind: 'smarthost', url: 'smtps://ada%40example.org:a%2Fb%23c%20%2541%40@relay?tls=required' })
        expect(refusal({ ...variables, MAYFLY_OUTBOUND: 'smtp://ada:secret@relay' }))
          .to.equal('MAYFLY_OUTBOUND_PASSWORD_FILE: MAYFLY_OUTBOUND has a password too. Remove one of them')
        for (const other of ['direct', 'smtp://relay']) {
          expect(refusal({ ...variables, MAYFLY_OUTBOUND: other }))
            .to.equal('MAYFLY_OUTBOUND_PASSWORD_FILE: is for a MAYFLY_OUTBOUND such as smtp://user@host:port')
        }
      } finally {
        await rm(folder, { recursive: true })
      }
    })
  })

  describe('for the sources of mail', () => {
    const postgres = { MAYFLY_DATABASE: 'postgres://ada@db/mayfly' }
    const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
    const form = 'takes a folder, file:///srv/mayfly/sources, or a bucket, s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-1'
    for (const [value, sentence] of [
      ['/srv/sources', form],
      ['https://bucket.s3.amazonaws.com', form],
      ['file://srv/sources', 'takes a folder of this machine with three slashes, and no query: file:///srv/mayfly/sources'],
      ['s3://id:secret@bucket', 'has no credentials: they are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
      ['s3://Bucket', 'the URL has no name of a bucket: s3://bucket/prefix'],
      ['s3://bucket/a%20b', 'the prefix of the URL has a character other than letters, digits, and . _ - /'],
      ['s3://bucket?regoin=eu-1', 'the URL has a parameter that is none of endpoint, region'],
      ['s3://bucket?region=eu/1', 'region of the URL is not the name of a region, such as eu-central-1'],
      ['s3://bucket?endpoint=minio:9000', 'endpoint of the URL is not an http or https URL without a path, such as https://s3.example.com'],
      ['s3://bucket?endpoint=https://s3.example.com/path', 'endpoint of the URL is not an http or https URL without a path, such as https://s3.example.com'],
    ] as const) {
      it(`refuses ${value}`, () => {
        expect(refusal({ ...postgres, ...keys, MAYFLY_SOURCES: value })).to.equal(`MAYFLY_SOURCES: ${sentence}`)
      })
    }

    it('takes a folder, and buckets of AWS and of others, in path style', () => {
      const read = (value: string) => readConfig({ ...postgres, ...keys, AWS_SESSION_TOKEN: 'token', MAYFLY_SOURCES: value }).sources
      const account = { kind: 's3', accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' }
      expect(read('file:///srv/mayfly%20mail')).to.deep.equal({ kind: 'file', folder: '/srv/mayfly mail' })
      expect(read('s3://bucket')).to.deep.equal({ ...account, url: 'https://s3.us-east-1.amazonaws.com/bucket', region: 'us-east-1' })
      expect(read('s3://bucket/a//b/?endpoint=http://minio:9000/&region=eu-1'))
        .to.deep.equal({ ...account, url: 'http://minio:9000/bucket/a/b', region: 'eu-1' })
    })

    it('needs PostgreSQL, and for a bucket the credentials, of which the secret may be in a file', async () => {
      const bucket = { ...postgres, MAYFLY_SOURCES: 's3://bucket' }
      expect(refusal({ MAYFLY_SOURCES: 'file:///srv' })).to.equal('MAYFLY_SOURCES: is for a MAYFLY_DATABASE that begins with postgres://')
      expect(refusal(bucket)).to.equal('AWS_ACCESS_KEY_ID: is needed when MAYFLY_SOURCES begins with s3://')
      expect(refusal({ ...bucket, AWS_ACCESS_KEY_ID: 'id' })).to.equal('AWS_SECRET_ACCESS_KEY: is needed when MAYFLY_SOURCES begins with s3://, or its _FILE')
      const folder = await mkdtemp(join(tmpdir(), 'mayfly-secret-'))
      try {
        await writeFile(join(folder, 'secret'), 'a/b+c\n')
        const variables = { ...bucket, AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY_FILE: join(folder, 'secret') }
        expect(readConfig(variables).sources).to.include({ secretAccessKey: 'a/b+c' })
      } finally {
        await rm(folder, { recursive: true })
      }
    })
  })

  describe('the cells', () => {
    const cells = 'a.example.com http://10.0.1.9:3000 10.0.1.9:2525, b.example.com https://b.internal/mayfly/ [fd00::9]:25'
    const right = {
      MAYFLY_DATABASE: 'postgres://ada@db/mayfly', MAYFLY_DEFAULT_DOMAIN: 'a.example.com', MAYFLY_CELLS: cells, MAYFLY_CELLS_SECRET: 'sixteen-or-more-characters',
    }
    const refusalOf = (variables: Record<string, string>) => {
      try {
        readConfig({ ...right, ...variables })
      } catch (error) {
        return (error as ConfigError).message
      }
      return undefined
    }

    it('are the others, with the secret of all, which may be in a file', async () => {
      const others = [{ name: 'b.example.com', url: 'https://b.internal/mayfly', smtp: { host: 'fd00::9', port: 25 } }]
      expect(readConfig(right).cells).to.deep.equal({ others, secret: 'sixteen-or-more-characters' })
      const folder = await mkdtemp(join(tmpdir(), 'mayfly-secret-'))
      try {
        await writeFile(join(folder, 'secret'), 'of-a-file-for-the-cells\n')
        const ofFile = { ...right, MAYFLY_CELLS_SECRET: '', MAYFLY_CELLS_SECRET_FILE: join(folder, 'secret') }
        expect(readConfig(ofFile).cells!.secret).to.equal('of-a-file-for-the-cells')
      } finally {
        await rm(folder, { recursive: true })
      }
    })

    for (const [variables, message] of [
      [{ MAYFLY_DATABASE: './mayfly.db' }, 'MAYFLY_CELLS: is for a MAYFLY_DATABASE that begins with postgres://'],
      [{ MAYFLY_DEFAULT_DOMAIN: 'c.example.com' }, 'MAYFLY_CELLS: lacks c.example.com, the MAYFLY_DEFAULT_DOMAIN of this cell'],
      [{ MAYFLY_CELLS: `${cells}, ${cells}` }, 'MAYFLY_CELLS: has a.example.com twice. Remove one of them, or give it the default domain of its cell'],
      [{ MAYFLY_CELLS: '' }, 'MAYFLY_CELLS_SECRET: is for the cells of MAYFLY_CELLS, which is not set. Set it, or remove the secret'],
      [{ MAYFLY_CELLS_SECRET: 'short' }, 'MAYFLY_CELLS_SECRET: needs at least 16 ASCII characters without spaces, the same at each cell'],
      [{ MAYFLY_CELLS: 'a.example.com http://10.0.1.9:3000' }, 'MAYFLY_CELLS: "a.example.com http://10.0.1.9:3000" is not the default domain of a cell, its '
        + 'URL, and its host and port of SMTP, such as a.example.com http://10.0.1.9:3000 10.0.1.9:2525'],
    ] as [Record<string, string>, string][]) it(`are refused: ${message.slice(0, 70)}`, () => { expect(refusalOf(variables)).to.equal(message) })
  })

  describe('for PostgreSQL', () => {
    for (const [value, sentence] of [
      ['file:///secret.db', 'takes a file, or a URL that begins with postgres://'],
      ['mysql://ada:secret@db', 'takes a file, or a URL that begins with postgres://'],
      ['postgres://ada:sec#ret@db/mayfly', 'is not a URL such as postgres://user:password@host:5432/name. In a password, write / as %2F, # as %23, ? as %3F and @ as %40'],
      ['postgres:///secret', 'the URL has no host: postgres://user@host/name, for a socket postgres://user@localhost/name?host=/folder'],
      ['postgres://secret/mayfly', 'the URL has no user: postgres://user@host/name'],
      ['postgres://ada:secret%@db/mayfly', 'the URL has a % that begins no encoded character. Write % as %25'],
      ['postgres://ada:s@cr/et@db/mayfly', 'the URL has a # or an @ behind its host. In a password, write / as %2F, # as %23, ? as %3F and @ as %40'],
      ['postgres://ada:s@cr/et#secret', 'the URL has a # or an @ behind its host. In a password, write / as %2F, # as %23, ? as %3F and @ as %40'],
      ['postgres://ada:secret@db', 'the URL does not end with the name of a database: postgres://user@host/name'],
      ['postgres://ada:secret@db/a/b', 'the URL does not end with the name of a database: postgres://user@host/name'],
      ['postgres://ada@db/mayfly?password=secret', 'a password stands before the @ of the URL, or in the file that MAYFLY_DATABASE_PASSWORD_FILE names'],
      ['postgres://ada:secret@db/mayfly?ssl_mode=require', 'the URL has a parameter that is none of application_name, host, sslcert, sslkey, sslmode, sslrootcert'],
      ['postgres://ada:secret@db/mayfly?sslmode=prefer', 'sslmode of the URL is none of disable, require, verify-ca, verify-full'],
      ['postgres://ada:secret@db/mayfly?sslmode=verify-ca', 'sslmode=verify-ca needs sslrootcert, a file with the certificate of the authority; verify-full takes those of the public authorities as well'],
      ['postgres://ada:secret@db/mayfly?sslmode=verify-full&sslrootcert=/missing.pem', 'sslrootcert of the URL: the file /missing.pem cannot be read'],
    ] as const) {
      it(`refuses MAYFLY_DATABASE=${value}, without repeating the password`, () => {
        expect(refusal({ MAYFLY_DATABASE: value })).to.equal(`MAYFLY_DATABASE: ${sentence}`)
      })
    }

    it('reads the password from a file, without a line break at its end', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'mayfly-password-'))
      try {
        const file = join(folder, 'password')
        await writeFile(file, 'a/b#c %41@\n')
        const variables = { MAYFLY_DATABASE: 'postgresql://ada@db:5433/mayfly?sslmode=require', MAYFLY_DATABASE_PASSWORD_FILE: file }
        const { database } = readConfig(variables)
        expect(database).to.equal('postgresql://ada:a%2Fb%23c%20%2541%40@db:5433/mayfly?sslmode=require')
        expect(refusal({ ...variables, MAYFLY_DATABASE: 'postgres://ada:secret@db/mayfly' }))
          .to.equal('MAYFLY_DATABASE_PASSWORD_FILE: MAYFLY_DATABASE has a password too. Remove one of them')
        expect(refusal({ ...variables, MAYFLY_DATABASE: 'mayfly.db' }))
          .to.equal('MAYFLY_DATABASE_PASSWORD_FILE: is for a MAYFLY_DATABASE that begins with postgres://')
        await writeFile(file, '\n')
        expect(refusal(variables)).to.equal(`MAYFLY_DATABASE_PASSWORD_FILE: the file ${file} is empty`)
        expect(refusal({ ...variables, MAYFLY_DATABASE_PASSWORD_FILE: join(folder, 'missing') }))
          .to.equal(`MAYFLY_DATABASE_PASSWORD_FILE: the file ${join(folder, 'missing')} cannot be read`)
      } finally {
        await rm(folder, { recursive: true })
      }
    })
  })

  describe('for DKIM', () => {
    let folder: string
    before(async () => { folder = await mkdtemp(join(tmpdir(), 'mayfly-dkim-')) })
    after(() => rm(folder, { recursive: true }))
    async function keyFile(name: string, key: KeyObject) {
      await writeFile(join(folder, name), key.export({ type: 'pkcs8', format: 'pem' }))
      return join(folder, name)
    }

    it('reads the key, for the default domain', async () => {
      const file = await keyFile('ed25519.pem', generateKeyPairSync('ed25519').privateKey)
      const { signingKey } = readConfig({ MAYFLY_DKIM_KEY: file, MAYFLY_DEFAULT_DOMAIN: 'mail.example.org' })
      expect(signingKey).to.deep.equal({ domain: 'mail.example.org', selector: 'mayfly', privateKey: await readFile(file, 'utf8') })
      expect(readConfig({ MAYFLY_DKIM_KEY: file, MAYFLY_DKIM_SELECTOR: 'Two.2026' }).signingKey!.selector).to.equal('two.2026')
      expect(readConfig({ MAYFLY_DKIM_SELECTOR: 'two' }).signingKey).to.equal(null)
    })

    it('refuses a missing file, a file without a key, and a key that receivers would not accept', async () => {
      const missing = join(folder, 'missing.pem')
      expect(refusal({ MAYFLY_DKIM_KEY: missing })).to.equal(`MAYFLY_DKIM_KEY: the file ${missing} cannot be read`)
      const short = await keyFile('short.pem', generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey)
      const curve = await keyFile('curve.pem', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
      for (const file of [short, curve, pem('cert')]) {
        expect(refusal({ MAYFLY_DKIM_KEY: file })).to.equal(
          `MAYFLY_DKIM_KEY: the file ${file} is not a private key in PEM, RSA of at least 1024 bits or Ed25519`)
      }
    })
  })

  describe('for TLS', () => {
    let folder: string
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'mayfly-tls-'))
      await writeFile(join(folder, 'text.pem'), 'no certificate')
    })
    after(() => rm(folder, { recursive: true }))

    it('reads the certificate and its key', () => {
      const { tls } = readConfig({ MAYFLY_TLS_CERT: pem('cert'), MAYFLY_TLS_KEY: pem('key') }).smtp
      expect(tls!.cert).to.match(/^-----BEGIN CERTIFICATE-----/)
      expect(tls!.key).to.match(/^-----BEGIN (EC )?PRIVATE KEY-----/)
    })

    it('refuses a certificate without a key and a key without a certificate', () => {
      expect(refusal({ MAYFLY_TLS_CERT: pem('cert') })).to.equal('MAYFLY_TLS_KEY: is needed when MAYFLY_TLS_CERT is set')
      expect(refusal({ MAYFLY_TLS_KEY: pem('key') })).to.equal('MAYFLY_TLS_CERT: is needed when MAYFLY_TLS_KEY is set')
    })

    it('names the file that cannot be read, and the part of it that is invalid', () => {
      const missing = join(folder, 'missing.pem')
      const text = join(folder, 'text.pem')
      expect(refusal({ MAYFLY_TLS_CERT: missing, MAYFLY_TLS_KEY: pem('key') })).to.equal(`MAYFLY_TLS_CERT: the file ${missing} cannot be read`)
      expect(refusal({ MAYFLY_TLS_CERT: folder, MAYFLY_TLS_KEY: pem('key') })).to.equal(`MAYFLY_TLS_CERT: the file ${folder} cannot be read`)
      for (const [cert, key] of [[text, pem('key')], [pem('cert'), text], [pem('key'), pem('cert')]] as const) {
        expect(refusal({ MAYFLY_TLS_CERT: cert, MAYFLY_TLS_KEY: key })).to.equal(
          'MAYFLY_TLS_CERT, MAYFLY_TLS_KEY: are not a certificate and its private key in PEM')
      }
    })
  })
})

function refusal(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError)
    return (error as Error).message
  }
  return 'it was taken'
}
