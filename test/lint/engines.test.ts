import { expect } from 'chai'
import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { ofPostgres, onSqliteAlone } from '../engines.ts'

const files = globSync('test/**/*.test.ts')

describe('Tests: engines', () => {
  it('have files of each pattern of test/engines.ts', () => {
    expect([...ofPostgres, ...onSqliteAlone].filter((pattern) => !files.some((file) => matchesGlob(file, pattern)))).to.deep.equal([])
  })

  it('of both engines get their database from newDatabase, and do not read its file', () => {
    const ofBoth = files.filter((file) => ![...ofPostgres, ...onSqliteAlone].some((pattern) => matchesGlob(file, pattern)))
    expect(ofBoth.length).to.be.greaterThan(100)
    const ofFile = /from 'better-sqlite3'|(?<!newDatabase\()join\([^()]*'mayfly\.db'\)|engine\.file!|\/mayfly\.db`/
    expect(ofBoth.filter((file) => ofFile.test(readFileSync(file, 'utf8')))).to.deep.equal([])
  })
})
