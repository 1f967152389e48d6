import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listEmails } from '../server/store/mail/email-list.ts'
import { parseSearch } from '../server/store/search/search-query.ts'
import { compareSome, isCompared, searchIndex, searchInSteps } from '../server/store/search/search.ts'
import type { SearchFilter } from '../server/store/search/search.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { runOnPostgres } from '../test/support/postgres.ts'
import { countArgument } from './count-argument.ts'
import { openMailboxes, threadOf } from './numbered-mails.ts'
import type { Account } from './numbered-mails.ts'
import { plansOf } from './postgres-plans.ts'

/**
 * `npm run bench -- mailbox [[COUNT] [--postgres]]`: measures listing, counting and searching of two accounts side by side: one has many
 * mails, the other few. On PostgreSQL, with a server of the tests that flushes its commits, it also prints how each part reads the tables.
 */
const [many, few] = [countArgument(200_000), 1_000]
const server = process.argv.includes('--postgres') ? await startPostgres({ isDurable: true }) : undefined

const folder = mkdtempSync(join(tmpdir(), 'mayfly-bench-'))
const database = server?.url('postgres') ?? join(folder, 'mayfly.db')
const { db, fill } = await openMailboxes(database)
// the figures are those of reads, which need no fsync of what they read
if (!server) await db.engine.writer.execute('pragma synchronous = off', [])
try {
  const [large, small] = [await fill(many), await fill(few)]
  if (server) await runOnPostgres(database, 'vacuum analyze') // as the server does by itself, some minutes later
  const first = { isDeleted: false, limit: 20, offset: 0 }
  const search = (owner: Account['owner'], q: string, filter: SearchFilter) => {
    const each = { owner, query: parseSearch(q), filter }
    return isCompared(each) ? searchInSteps(each, (before) => compareSome(db, each, before)) : searchIndex(db, each)
  }
  const thread = async (owner: Account['owner'], filter: SearchFilter) => {
    const { ids } = await searchIndex(db, { owner, query: undefined, filter })
    if (ids.length !== 10) throw new Error(`${ids.length} mails of a thread of ten`)
  }
  const parts: Record<string, (account: Account) => Promise<unknown>> = {
    'list, 20 of all': ({ owner }) => listEmails(db, owner, first),
    'list, of one address of ten': ({ owner, addresses }) => listEmails(db, owner, { ...first, addressId: addresses[3] }),
    'list, a thread of ten': ({ owner }) => thread(owner, { ...first, threadId: threadOf(0) }),
    'list, a thread, of one address': ({ owner, addresses }) => thread(owner, { ...first, threadId: threadOf(3), addressId: addresses[3] }),
    'count, all': ({ owner }) => listEmails(db, owner, { ...first, limit: 1 }),
    'search, a word in every mail': ({ owner }) => search(owner, 'confirmation', first),
    'search, its beginning': ({ owner }) => search(owner, 'con', first),
    'search, two such words': ({ owner }) => search(owner, 'confirmation shop.example', first),
    'search, in one address': ({ owner, addresses }) => search(owner, 'confirmation', { ...first, addressId: addresses[3] }),
    'search, only sent, none': ({ owner }) => search(owner, 'confirmation', { ...first, type: 'sent' }),
    'search, only deleted, none': ({ owner }) => search(owner, 'confirmation', { ...first, isDeleted: true }),
    'search, the oldest mail': ({ owner }) => search(owner, 'number0', first),
    'search, two that never meet': ({ owner }) => search(owner, 'odd even', first),
    'search, in no mail': ({ owner }) => search(owner, 'absent', first),
    'search, -word': ({ owner }) => search(owner, '-odd', first),
    'search, two words, -word': ({ owner }) => search(owner, 'confirmation odd -shop', first),
    'search, is:unread': ({ owner }) => search(owner, 'is:unread', first),
    'search, is:starred, none': ({ owner }) => search(owner, 'is:starred', first),
    'search, a word, larger:': ({ owner }) => search(owner, 'confirmation larger:1mb', first),
    'search, a phrase, none': ({ owner }) => search(owner, '"shop confirmation"', first),
  }
  console.log(`${Math.round(await storedBytes() / (many + few))} bytes a mail on the disk, with all indexes`)
  console.log(`milliseconds with ${many} and with ${few} mails in the account, and how often as much`)
  for (const [name, part] of Object.entries(parts)) {
    const [a, b] = await compare(() => part(large), () => part(small))
    console.log(`  ${name.padEnd(32)} ${a.toFixed(2).padStart(6)} ${b.toFixed(2).padStart(6)}   ${(a / b).toFixed(2)}`)
    if (server) for (const line of await plansOf(database, () => part(large))) console.log(`      ${line}`)
  }
} finally {
  await db.close()
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function storedBytes(): Promise<number> {
  if (!server) return db.engine.file!.bytes().data
  return Number((await runOnPostgres(database, 'select pg_database_size(current_database()) as bytes'))[0]!['bytes'])
}

/** The median milliseconds of each, measured in turn, since the speed of a machine varies. */
async function compare(large: () => Promise<unknown>, small: () => Promise<unknown>): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < 120; round++) {
    for (const [i, run] of [large, small].entries()) {
      const begun = performance.now()
      await run()
      if (round >= 20) times[i]!.push(performance.now() - begun)
    }
  }
  return times.map((side) => side.sort((a, b) => a - b)[Math.floor(side.length / 2)]!) as [number, number]
}
