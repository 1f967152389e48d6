import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { newPostgresDatabase } from '../support/postgres.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { mayfly, serve } from './run.ts'

const pem = (name: string) => fileURLToPath(new URL(`../support/self-signed/${name}.pem`, import.meta.url))
/** A certificate for another host, by another authority. */
const otherPem = (name: string) => fileURLToPath(new URL(`certificate/${name}.pem`, import.meta.url))
const read = (file: string) => readFileSync(file, 'utf8')

describe('CLI: TLS with PostgreSQL', function () {
  let server: Awaited<ReturnType<typeof startPostgres>>
  before(async () => { server = await startPostgres({ tls: { cert: read(pem('cert')), key: read(pem('key')) } }) })
  after(() => server.stop())

  /** The certificate is for localhost and 127.0.0.1. */
  const url = (parameters: string, host = 'localhost') => server.url('postgres').replace('127.0.0.1', host) + parameters
  const create = (database: string) =>
    mayfly(['account', 'create', '--email', 'ada@example.com', '--json'], { MAYFLY_DATABASE: database }).then(({ stderr }) => stderr.trimEnd())
  const untrusted = /^mayfly: MAYFLY_DATABASE: \S+ has a certificate that is not trusted \([^)]+\)\. Name its authority by sslrootcert, and the host as the certificate does\.$/

  it('is encrypted with sslmode=require, whatever the certificate', async () => {
    await using served = await serve({ MAYFLY_DATABASE: url('?sslmode=require'), MAYFLY_LOG_LEVEL: 'warn' })
    const outcome = await served.stop()
    expect([outcome.code, outcome.stderr]).to.deep.equal([0, ''])
  })

  it('sslmode=require without TLS at the server is refused', async () => {
    expect(await create(`${await newPostgresDatabase()}?sslmode=require`)).to.match(/ does not offer TLS\. Turn it on at the server, or remove sslmode from the URL\.$/)
  })

  it('verify-full trusts the authority of sslrootcert alone, for the host of the URL', async () => {
    expect(await create(url('?sslmode=verify-full'))).to.match(untrusted)
    expect(await create(url(`?sslmode=verify-full&sslrootcert=${otherPem('cert')}`))).to.match(untrusted)
    expect(await create(url(`?sslmode=verify-full&sslrootcert=${pem('cert')}`))).to.equal('')
  })

  it('verify-ca trusts the authority, for any host', async () => {
    const other = await startPostgres({ tls: { cert: read(otherPem('cert')), key: read(otherPem('key')) } })
    try {
      const database = other.url('postgres')
      expect(await create(`${database}?sslmode=verify-ca&sslrootcert=${pem('cert')}`)).to.match(untrusted)
      expect(await create(`${database}?sslmode=verify-full&sslrootcert=${otherPem('cert')}`)).to.match(untrusted)
      expect(await create(`${database}?sslmode=verify-ca&sslrootcert=${otherPem('cert')}`)).to.equal('')
    } finally {
      await other.stop()
    }
  })
})
