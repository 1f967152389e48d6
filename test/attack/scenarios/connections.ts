import { once } from 'node:events'
import { forever, httpReply, openSocket, pause, pipeline } from '../attack.ts'
import type { Note, Scenario, Target } from '../scenario.ts'

export const connections: Scenario[] = [
  {
    name: 'silent-connections',
    says: '2,000 silent connections to HTTP and 500 to SMTP; the measured account opens a new one for each request',
    isConnectingAnew: true,
    async attack({ httpPort, smtpPort }, note) {
      await Promise.all([
        forever(note, () => silence(httpPort, note, 'http'), 2_000),
        forever(note, () => silence(smtpPort, note, 'smtp'), 500),
      ])
    },
  },
  {
    name: 'unread-bodies',
    says: '95 bodies without a key, with a wrong one, or with a right one: of 50 MB, sent slowly, and of 1 GB, sent fast',
    attack: (target, note) => forever(note, (i) => sendBody(target, note, i)),
  },
  {
    name: 'streams-dropped',
    says: '200 streams that ask to be delayed and are dropped before they begin',
    async attack(target, note) {
      for (let i = 0; i < 200; i++) {
        dropStream(target, note)
        await pause(20)
      }
    },
    async after({ httpPort, busy }) {
      const answer = await firstOf(httpPort, '/events', busy.testKey)
      return { says: `a new stream is answered ${answer}`, isMet: answer === '200' }
    },
  },
]

/** Milliseconds until a connection that the server has closed is opened again. */
const reopenMs = 1_000

/** Keeps a connection until the server ends it. */
async function silence(port: number, note: Note, name: string) {
  const socket = openSocket(port)
  socket.resume()
  await once(socket, 'connect')
  note(`${name} connected`)
  if (!socket.closed) await once(socket, 'close')
  note(`${name} closed`)
  await pause(reopenMs)
}

/** Pieces of slow bodies: 15 MB a second for all of them. */
const slowPiece = Buffer.alloc(16 * 1024, ' ')
const slowPieceMs = 50
const slowBytes = 50_000_000
const fastPiece = Buffer.alloc(64 * 1024, ' ')
const fastBytes = 1_000_000_000

async function sendBody({ httpPort, busy: { key } }: Target, note: Note, i: number) {
  const authorization = ['', `Authorization: Bearer ${key.slice(0, -1)}0\r\n`, `Authorization: Bearer ${key}\r\n`][i % 3]!
  const head = (bytes: number) =>
    `POST /api/v1/addresses HTTP/1.1\r\nHost: localhost\r\n${authorization}Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`
  // a server that continues to read is sent more than the body
  if (i % 2) return pipeline(httpPort, { opening: head(fastBytes), chunk: fastPiece, reply: httpReply }, note)
  const socket = openSocket(httpPort)
  socket.on('data', (answer: Buffer) => note(answer.toString('latin1').slice(9, 12)))
  socket.on('error', () => {}) // the server has ended it
  socket.write(head(slowBytes))
  for (let sent = 0; sent < slowBytes && !socket.destroyed; sent += slowPiece.length) {
    socket.write(slowPiece)
    await pause(slowPieceMs)
  }
  note('closed')
}

const delayMs = 2_000

function dropStream({ httpPort, busy }: Target, note: Note) {
  const socket = openSocket(httpPort)
  socket.on('error', () => {})
  socket.once('data', (answer: Buffer) => note(answer.toString('latin1').slice(9, 12)))
  socket.write(`GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${busy.testKey}\r\nX-Mayfly-Fault: delay=${delayMs}\r\n\r\n`)
  setTimeout(() => {
    socket.destroy()
    note('dropped')
  }, 200)
}

/** The status of a response that does not end. */
async function firstOf(port: number, path: string, key: string): Promise<string> {
  const socket = openSocket(port)
  try {
    socket.write(`GET /api/v1${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`)
    const [begin] = await once(socket, 'data', { signal: AbortSignal.timeout(5_000) }) as [Buffer]
    return begin.toString('latin1').slice(9, 12)
  } finally {
    socket.destroy()
  }
}

