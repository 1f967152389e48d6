import { expect } from 'chai'
import { rm } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { sources } from '../../cli/doctor/sources.ts'
import { runCheck } from '../support/doctor-check.ts'
import { newFolder } from '../support/new-database.ts'
import { newPostgresDatabase } from '../support/postgres.ts'
import { openS3Server } from '../support/s3-server.ts'

describe('CLI: doctor, the store of sources', () => {
  let database: string
  before(async () => { database = await newPostgresDatabase() })
  const check = (variables: Record<string, string>) => runCheck(sources, { ...variables, MAYFLY_DATABASE: database })

  it('writes, reads and removes an object', async () => {
    await using server = await openS3Server()
    const bucket = server.variables.MAYFLY_SOURCES.replace('s3://', '').replace(/\?.*/, '')
    expect(await check(server.variables)).to.deep.include({ status: 'ok', advice: null }).and.have.property('found').that.includes(`/${bucket}, read`)
    expect([server.objects.size, server.answers]).to.deep.equal([0, ['PUT 200', 'GET 206', 'DELETE 204', 'GET 404']])
    const folder = await newFolder()
    try {
      expect(await check({ MAYFLY_SOURCES: pathToFileURL(folder).href })).to.include({ found: `an object was written to ${folder}, read and removed` })
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('tells why it cannot be used', async () => {
    await using server = await openS3Server()
    const reasonOf = async (variables: Record<string, string>) => {
      const finding = await check(variables)
      expect(finding).to.include({ status: 'problem' })
      return (finding as { found: string }).found.replace(/^\S+ /, '')
    }
    expect(await reasonOf({ ...server.variables, AWS_SECRET_ACCESS_KEY: 'wrong' }))
      .to.equal('cannot be used: the store of MAYFLY_SOURCES answered 403 SignatureDoesNotMatch')
    expect(await reasonOf({ ...server.variables, MAYFLY_SOURCES: server.variables.MAYFLY_SOURCES.replace('mail-sources', 'other') }))
      .to.equal('cannot be used: the store of MAYFLY_SOURCES answered 404 NoSuchBucket')
    server.isUnavailable = true
    expect(await reasonOf(server.variables)).to.match(/^cannot be used: (socket hang up|read ECONNRESET)$/)
    expect(await reasonOf({ MAYFLY_SOURCES: 'file:///missing/folder' })).to.match(/^cannot be used: ENOENT/)
  })
})
