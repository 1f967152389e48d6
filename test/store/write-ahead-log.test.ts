import { expect } from 'chai'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inTransaction, openDatabase } from '../../server/store/database.ts'
import type { Database } from '../../server/store/database.ts'
import { insertChunk } from '../../server/store/mail/message-chunks.ts'
import { rawSql } from '../support/store/raw-sql.ts'

const megabyte = 1024 * 1024

describe('Write-ahead log', () => {
  let folder: string
  let db: Database
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mayfly-log-'))
    db = await openDatabase(join(folder, 'mayfly.db'), { now: Date.now, at: () => () => {} })
  })
  afterEach(async () => {
    await db.close()
    rmSync(folder, { recursive: true })
  })

  const write = () => inTransaction(db, async (tx) => {
    for (let seq = 0; seq < 24; seq++) await insertChunk(tx, { messageId: tx.newId(), seq, bytes: Buffer.alloc(256 * 1024, 'x') })
  })
  const logBytes = () => db.engine.file!.bytes().log
  const checksUntilDue = () => {
    let checks = 1
    while (!db.engine.file!.takeCheckpointTurn() && checks < 100) checks++
    return checks
  }
  /** Makes a checkpoint when it is due. @returns the number of checks until then, and the bytes of the log after it */
  const checkpointWhenDue = () => {
    const checks = checksUntilDue()
    db.engine.file!.checkpoint()
    return { checks, logBytes: logBytes() }
  }

  it('keeps its file while commits follow one another, and is truncated after ten checks without one', async () => {
    expect(db.engine.file!.takeCheckpointTurn()).to.equal(false)
    for (let commit = 0; commit < 3; commit++) {
      await write()
      const { checks, logBytes } = checkpointWhenDue()
      expect(checks).to.equal(1)
      expect(logBytes).to.be.greaterThan(4 * megabyte)
    }
    expect(checkpointWhenDue()).to.deep.equal({ checks: 10, logBytes: 0 })
    expect(db.engine.file!.takeCheckpointTurn()).to.equal(false)
    await write()
    expect(await rawSql(db, 'select count(*) as n from message_chunks')).to.deep.equal([{ n: 4 * 24 }])
  })

  it('is truncated by a later check when another connection reads', async () => {
    await write()
    await db.snapshot(async (at) => {
      await at.execute('select count(*) from message_chunks', [])
      expect(checkpointWhenDue().checks).to.equal(1)
      const { checks, logBytes } = checkpointWhenDue()
      expect(checks).to.equal(10)
      expect(logBytes).to.be.greaterThan(4 * megabyte)
    })
    expect(checkpointWhenDue()).to.deep.equal({ checks: 10, logBytes: 0 })
  })
})
