import { expect } from 'chai'
import { eventIdsOf, streamEvents } from '../../server/domain/event-stream.ts'
import type { Feed } from '../../server/store/events/feed.ts'
import { openTestApp } from '../support/app.ts'
import { ownerOf } from '../support/store/accounts.ts'
import { emittedFrom } from '../support/store/events.ts'

describe('Event streams: GET /events', () => {
  it('skips events that it has sent already when the feed delivers them again, in parts', async () => {
    await using app = await openTestApp()
    const caller = await ownerOf(app)
    for (let i = 0; i < 3; i++) await app.newAddress()
    const events = await emittedFrom(app, 0)
    let take: Parameters<Feed['follow']>[2] = () => {}
    app.app.feed.follow = async (_owner, _kind, given) => {
      take = given
      return { from: 0, stop() {} }
    }
    const gone = new AbortController().signal
    const stream = await streamEvents(app.app, caller, { after: 0, gone, async reauthorize() {} })
    const parts = stream[Symbol.asyncIterator]()
    const { seqOf } = eventIdsOf(app.app, caller)
    const read = async () => [...(await parts.next()).value.matchAll(/^id: (.+)\nevent/gm)].map(([, id]) => seqOf(id))
    expect([await read(), await read()]).to.deep.equal([[], [1, 2, 3]])
    take(events.slice(0, 1)) // the feed is behind the stream
    const next = read()
    await new Promise(setImmediate)
    take(events.slice(1))
    await app.newAddress()
    await new Promise(setImmediate)
    take(await emittedFrom(app, 3))
    expect(await next).to.deep.equal([4])
    await parts.return?.()
  })
})
