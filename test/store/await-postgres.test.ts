import { expect } from 'chai'
import { awaitDatabase } from '../../server/store/database.ts'
import { freePort } from '../support/dns-server.ts'
import { newPostgresDatabase, runOnPostgres } from '../support/postgres.ts'

describe('PostgreSQL: a server that is not there yet', function () {
  const signal = new AbortController().signal
  async function outcome(url: string, timeoutMs: number) {
    const waits: string[] = []
    const awaited = awaitDatabase(url, { signal, timeoutMs, onWait: (reason) => waits.push(reason) })
    const error = await awaited.then(() => undefined, (reason: Error) => reason.message)
    return { waits, error }
  }

  it('is tried again for a bounded time, and reported once', async () => {
    const url = `postgres://ada:secret@127.0.0.1:${await freePort()}/mayfly`
    const { waits, error } = await outcome(url, 700)
    expect(waits).to.deep.equal([error])
    expect(error).to.match(/^MAYFLY_DATABASE: postgres:\/\/ada@127\.0\.0\.1:\d+\/mayfly takes no connections: no server listens there\./)
  })

  it('is not awaited when it refuses permanently', async () => {
    const url = await newPostgresDatabase()
    const { waits, error } = await outcome(url.replace(/[^/]*$/, 'missing'), 60_000)
    expect(waits).to.deep.equal([])
    expect(error).to.include('/missing does not exist.')
  })

  it('is awaited while it only reads, as a standby that will be promoted', async () => {
    const url = await newPostgresDatabase()
    const name = new URL(url).pathname.slice(1)
    await runOnPostgres(url, `alter database ${name} set default_transaction_read_only = on`)
    const waits: string[] = []
    await awaitDatabase(url, {
      signal, timeoutMs: 60_000,
      onWait(reason) {
        waits.push(reason)
        void runOnPostgres(url.replace(/[^/]*$/, 'postgres'), `alter database ${name} reset default_transaction_read_only`)
      },
    })
    expect(waits.join()).to.include(' only reads: ')
  })
})
