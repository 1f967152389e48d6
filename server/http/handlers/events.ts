import { readLastEventId, streamEvents } from '../../domain/event-stream.ts'
import type { HandlersOf } from './handler.ts'

export const events = {
  async 'events.stream'(app, { caller, headers, query, beginWait, reauthorize }) {
    const after = await readLastEventId(app, caller, headers['last-event-id'])
    const { to, envelope_from: envelopeFrom } = query
    return { eventStream: await streamEvents(app, caller, { after, to, envelopeFrom, gone: beginWait(), reauthorize }) }
  },
} satisfies HandlersOf<'events'>
