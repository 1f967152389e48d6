import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** The message that a proxy cuts off: the next `commit`, before the server gets it, or its answer, before the client gets it. */
type Cut = 'request' | 'answer' | null

export interface PostgresProxy {
  url: string
  /**
   * @param options.refusals number of connections that are refused after the cut, which then ends all others too
   * @param options.isSilent the cut freezes the present connections, in place of closing one
   */
  cutNext(cut: Cut, options?: { refusals?: number, isSilent?: boolean }): void
  /** The present connections become silent, as when the network is cut: neither side gets data or an end any more. Later ones work. */
  freeze(): void
  /** The number of times that a client has sent something after an answer, on all connections, and of the commits among it. */
  counts(): { roundTrips: number, commits: number }
  close(): Promise<void>
}

/** The answer of a server without a free connection (53300). */
const noConnectionLeft = () => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C53300\0Msorry, too many clients already\0\0')
  const head = Buffer.from('E....')
  head.writeUInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/** The head of the message by which the server names the process of a connection (BackendKeyData), which stands before the id. */
const processIdHead = Buffer.from('K\0\0\0\x0C', 'latin1')

/** Replaces the id of the process, as a pooler does. */
function withOtherId(bytes: Buffer): Buffer {
  const start = bytes.indexOf(processIdHead)
  if (start >= 0) bytes.writeUInt32BE(1, start + processIdHead.length)
  return bytes
}

/**
 * Forwards connections to a PostgreSQL server, and cuts them at a commit when told so.
 * @param options.delayMs whole milliseconds by which answers are late: the time of a round trip
 * @param options.hidesProcesses whether connections get other ids of their processes
 */
export async function openPostgresProxy(target: URL, { delayMs = 0, hidesProcesses = false } = {}): Promise<PostgresProxy> {
  let cut: Cut = null
  let isCutSilent = false
  let freezes = 0
  let refusals = 0
  let nextRefusals = 0
  let roundTrips = 0
  let commits = 0
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    if (refusals > 0) {
      refusals--
      return void client.on('error', () => {}).once('data', () => client.end(noConnectionLeft()))
    }
    const server = connect(Number(target.port), target.hostname)
    const freezesBefore = freezes
    const isFrozen = () => freezes > freezesBefore
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.setNoDelay()
      socket.on('error', () => {}) // the other end has closed it; `close` follows
      socket.once('close', () => {
        sockets.delete(socket)
        if (isFrozen()) return
        client.destroy()
        server.destroy()
      })
    }
    let isAnswerCut = false
    let isAnswered = true
    const late: Buffer[] = []
    const pass = () => {
      isAnswered = true
      for (const bytes of late.splice(0)) if (!isFrozen()) client.write(bytes)
    }
    client.on('data', (bytes) => {
      if (isFrozen()) return
      if (isAnswered) roundTrips++
      isAnswered = false
      if (bytes.includes('commit\0')) commits++
      if (cut !== null && bytes.includes('commit\0')) {
        if (cut === 'request') {
          if (isCutSilent) freezes++
          else client.destroy()
        }
        isAnswerCut = cut === 'answer'
        cut = null
      }
      if (!client.destroyed && !isFrozen()) server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (isFrozen()) return
      if (isAnswerCut) {
        if (isCutSilent) return void freezes++
        refusals = nextRefusals
        if (refusals > 0) for (const socket of sockets) socket.destroy()
        return client.destroy()
      }
      if (late.push(hidesProcesses ? withOtherId(bytes) : bytes) > 1) return
      if (delayMs === 0) pass()
      else setTimeout(pass, delayMs)
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(target)
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    url: String(url),
    cutNext(next, options = {}) {
      cut = next
      nextRefusals = options.refusals ?? 0
      isCutSilent = options.isSilent ?? false
    },
    freeze() {
      freezes++
    },
    counts: () => ({ roundTrips, commits }),
    async close() {
      const closed = once(proxy, 'close')
      proxy.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
