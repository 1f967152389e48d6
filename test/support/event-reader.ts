import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'

interface ReadEvent {
  id: string
  event: string
  data: any
}

export interface EventReader {
  answer: IncomingMessage
  /** The received text without the events. */
  comments: string[]
  events: ReadEvent[]
  /** The Last-Event-ID for a reconnect. */
  lastId: string
  /** Resolves with the events once there are this many. */
  until(count: number): Promise<ReadEvent[]>
  /** Resolves once there are this many comments. */
  comment(count: number): Promise<void>
  /** Resolves when the stream has ended, with whether the server ended it properly. */
  ended: Promise<boolean>
  /** Destroys the connection. */
  drop(): void
}

/** Follows `GET /events` without the SDK. */
export async function readEvents(url: string, key: string, headers: Record<string, string> = {}, query = ''): Promise<EventReader> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(`${url}/api/v1/events${query}`, { agent: false, headers: { authorization: `Bearer ${key}`, ...headers } }, resolve)
    sent.on('error', reject)
    sent.end()
  })
  let wake = () => {}
  let text = ''
  const { promise: ended, resolve: end } = Promise.withResolvers<boolean>()
  const reader: EventReader = {
    answer, ended, comments: [], events: [], lastId: '',
    async until(count) {
      while (reader.events.length < count) await new Promise<void>((resolve) => { wake = resolve })
      return reader.events
    },
    async comment(count) {
      while (reader.comments.length < count) await new Promise<void>((resolve) => { wake = resolve })
    },
    drop: () => answer.destroy(),
  }
  answer.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) takeBlock(block)
    wake()
  })
  answer.on('error', () => {})
  answer.on('close', () => end(answer.complete))

  function takeBlock(block: string) {
    const fields = Object.fromEntries(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]))
    reader.lastId = fields['id'] ?? reader.lastId
    if (fields['']) reader.comments.push(fields[''])
    if (fields['data']) reader.events.push({ id: fields['id']!, event: fields['event']!, data: JSON.parse(fields['data']) })
  }
  return reader
}
