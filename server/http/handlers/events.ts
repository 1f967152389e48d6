import { readLastEventId, streamEvents } from '../../domain/event-stream.ts'
import type { HandlersOf } from './handler.ts'

export const events = {
  async 'events.stream'(app, { caller, headers, query, beginWait, reauthorize }) {
    const after = await readLastEventId(app, caller, headers['last-event-id'])
    const filter = { to: query.to, envelopeFrom: query.envelope_from }
    return { eventStream: await streamEvents(app, caller, { ...filter, after, gone: beginWait(), reauthorize }) }
  },
} satisfies HandlersOf<'events'>
