import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { manyRows } from '../support/store/many-rows.ts'
import type { ManyRows } from '../support/store/many-rows.ts'
import { bindAddresses } from '../support/store/addresses.ts'
import { markMailboxesRemoved } from '../support/store/mails.ts'
import { listRequests } from '../support/list-requests.ts'

const [few, many] = [1_000, 16_000]
/** Maximum ratio of the times for the large and the small account; a cost that grows with the rows gives about 16. */
const maxRatio = 4
/** Milliseconds of this process's processor time, which other processes do not affect; by the clock where PostgreSQL does the work. */
function now(): number {
  if (process.env['MAYFLY_TEST_ENGINE'] === 'postgres') return performance.now()
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Rounds per measurement, and the maximum number of measurements of a request that seems slow. */
const [rounds, passes] = [12, 4]

describe('Lists: cost', function () {
  this.timeout(600_000)
  let app: TestApp
  let small: ManyRows
  let large: ManyRows

  before(async () => {
    app = await openTestApp()
    small = await manyRows(app, few)
    large = await manyRows(app, many)
  })
  after(() => app[Symbol.asyncDispose]())

  const msOf = async ({ key }: ManyRows, path: string) => {
    const begun = now()
    const { status, body } = await app.api('GET', path, { key })
    expect(status, `${path} ${JSON.stringify(body)}`).to.equal(200)
    return now() - begun
  }

  it('does not grow with the rows of the account, with any filters', async () => {
    expect(await slowOnes(Object.keys(listRequests(small)))).to.deep.equal([])
  })

  /** The requests that were slower with more rows in every measurement: noise does not repeat. */
  async function slowOnes(names: string[]): Promise<string[]> {
    const [ofSmall, ofLarge] = [listRequests(small), listRequests(large)]
    let slow = names
    for (let pass = 0; pass < passes && slow.length > 0; pass++) {
      const again: string[] = []
      for (const name of slow) if (await isSlow(ofSmall[name]!, ofLarge[name]!)) again.push(name)
      slow = again
    }
    return slow
  }

  /** Compares the minimum times of several rounds, as a busy machine makes single rounds slow. */
  async function isSlow(ofSmall: string, ofLarge: string): Promise<boolean> {
    let [less, more] = [Infinity, Infinity]
    for (let round = 0; round < rounds; round++) {
      less = Math.min(less, await msOf(small, ofSmall))
      more = Math.min(more, await msOf(large, ofLarge))
      if (round >= 2 && more < less * maxRatio / 2) break
    }
    return more > less * maxRatio
  }

  // a search on PostgreSQL also reads the keys of mail that is being removed (docs/decisions/0016)
  if (process.env['MAYFLY_TEST_ENGINE'] !== 'postgres') it('of a search does not grow while the mail of a deleted address is being removed', async () => {
    const unmark = await markMailboxesRemoved(app, [small, large].map(({ addressId }) => addressId))
    const paths = Object.entries(listRequests(small)).filter(([name]) => name.includes('q=') && !name.includes('address_id'))
    expect(await slowOnes(paths.map(([name]) => name))).to.deep.equal([])
    await unmark()
  })

  it('of addresses does not grow with the addresses whose domain was removed', async () => {
    await bindAddresses(app, false)
    expect(await slowOnes(Object.keys(listRequests(small)).filter((name) => /addresses|^analytics$/.test(name)))).to.deep.equal([])
    await bindAddresses(app, true)
  })
})
