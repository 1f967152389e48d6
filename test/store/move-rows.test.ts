import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../server/clock.ts'
import { inTransaction, openDatabase } from '../../server/store/database.ts'
import { readBatches } from '../../server/store/move/move.ts'
import { openRowReader } from '../../server/store/move/row-reader.ts'
import { rawSql } from '../support/store/raw-sql.ts'

describe('Move: batches of rows', () => {
  it('have a bound in bytes, also where long rows follow many short ones', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-rows-'))
    const db = await openDatabase(join(folder, 'mayfly.db'), systemClock)
    try {
      await inTransaction(db, async (tx) => {
        await rawSql(tx, `insert into message_chunks (message_id, seq, bytes)
          with recursive n (i) as (select 1 union all select i + 1 from n where i < 3040)
          select 'long', i, zeroblob(case when i > 3000 then 1000000 else 10 end) from n`)
      })
      const columns = [{ name: 'message_id', type: 'text' }, { name: 'seq', type: 'integer' }, { name: 'bytes', type: 'bytea' }]
      let rows = 0
      let maxBytes = 0
      const table = { name: 'message_chunks', columns, key: ['message_id', 'seq'], serial: null }
      for await (const batch of readBatches(openRowReader(db, () => '?'), table)) {
        expect(batch.map(([, seq]) => seq)).to.deep.equal(batch.map((_, i) => rows + i + 1))
        rows += batch.length
        maxBytes = Math.max(maxBytes, batch.reduce((sum, [, , bytes]) => sum + (bytes as Uint8Array).length, 0))
      }
      expect(rows).to.equal(3040)
      expect(maxBytes).to.be.within(1_000_000, 17_000_000)
    } finally {
      await db.close()
      await rm(folder, { recursive: true })
    }
  })
})
