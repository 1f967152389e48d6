import { readLastEventId, streamEvents } from '../../domain/event-stream.ts'
import type { HandlersOf } from './handler.ts'

export const events = {
  async 'events.stream'(app, { caller, headers, beginWait, reauthorize }) {
    const after = await readLastEventId(app, caller, headers['last-event-id'])
    return { eventStream: await streamEvents(app, caller, { after, gone: beginWait(), reauthorize }) }
  },
} satisfies HandlersOf<'events'>
