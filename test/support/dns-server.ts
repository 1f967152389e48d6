import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer, Packet } from 'dns2'

type RecordType = 'A' | 'AAAA' | 'MX' | 'TXT' | 'PTR' | 'CNAME'

/** The records of a name. A TXT record is one string of any length, or the list of its strings. */
export interface DnsRecords {
  A?: string[]
  AAAA?: string[]
  /** An exchange of '' or '.' is the null MX. */
  MX?: { exchange: string, priority: number }[]
  TXT?: (string | string[])[]
  PTR?: string[]
  CNAME?: string[]
}

/** Names in lower case; a name without an entry does not exist. A test may change it at any time. */
export type DnsZone = Record<string, DnsRecords | 'SERVFAIL' | 'REFUSED' | 'NXDOMAIN' | 'silent'>

export interface DnsServer extends AsyncDisposable {
  /** The value for `MAYFLY_DNS_SERVERS`. */
  servers: string
  zone: DnsZone
  /** The questions, in their order; names in lower case. */
  questions: { name: string, type: string }[]
  /** Forgets its records and the questions. */
  reset(): void
}

/** A DNS server on a free port of 127.0.0.1, over UDP, and over TCP for answers that are too long for UDP. */
export async function openDnsServer(zone: DnsZone = {}): Promise<DnsServer> {
  const questions: DnsServer['questions'] = []
  const server = createServer({
    udp: true,
    tcp: true,
    handle: (request, send) => {
      const [question] = request.questions
      if (!question) return
      const name = question.name.toLowerCase().replace(/\.$/, '')
      const type = Packet.TYPE_NAME[question.type ?? 0] ?? String(question.type)
      questions.push({ name, type })
      const response = answer(zone, request, name, type as RecordType)
      if (response) void Promise.resolve(send(response)).catch(() => {}) // the client may have disconnected
    },
  })
  const sockets = new Set<Socket>()
  const { tcp } = (server as unknown as { servers: { tcp: Server } }).servers
  tcp.on('connection', (socket: Socket) => sockets.add(socket.once('close', () => sockets.delete(socket))))
  const port = await freePort()
  await server.listen({ udp: { port, address: '127.0.0.1' }, tcp: { port, address: '127.0.0.1' } })
  return {
    servers: `127.0.0.1:${port}`,
    zone,
    questions,
    reset() {
      questions.length = 0
      for (const name of Object.keys(zone)) delete zone[name]
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await server.close()
    },
  }
}

function answer(zone: DnsZone, request: Packet, name: string, type: RecordType) {
  const records = zone[name] ?? 'NXDOMAIN'
  if (records === 'silent') return undefined
  if (typeof records === 'string') return Packet.createErrorResponseFromRequest(request, Packet.RCODE[records])
  const response = Packet.createResponseFromRequest(request)
  const { CNAME } = records
  if (CNAME && type !== 'CNAME') {
    for (const target of CNAME) {
      response.answers.push(...toAnswers(name, 'CNAME', { CNAME: [target] }))
      const there = zone[target.toLowerCase()]
      if (typeof there === 'object') response.answers.push(...toAnswers(target, type, there))
    }
  } else {
    response.answers.push(...toAnswers(name, type, records))
  }
  return response
}

function toAnswers(name: string, type: RecordType, records: DnsRecords): Packet['answers'] {
  return toResources(name, type, records) as Packet['answers'] // dns2 accepts plain objects, unlike its types
}

function toResources(name: string, type: RecordType, records: DnsRecords) {
  const common = { name, type: Packet.TYPE[type], class: Packet.CLASS.IN, ttl: 300 }
  switch (type) {
    case 'A': case 'AAAA': return (records[type] ?? []).map((address) => ({ ...common, address }))
    case 'MX': return (records.MX ?? []).map(({ exchange, priority }) => ({ ...common, exchange: exchange.replace(/\.$/, ''), priority }))
    case 'TXT': return (records.TXT ?? []).map((text) => ({ ...common, data: [text].flat().flatMap(cut) }))
    case 'PTR': case 'CNAME': return (records[type] ?? []).map((domain) => ({ ...common, domain }))
    default: return []
  }
}

/** A character-string has at most 255 bytes. */
function cut(text: string): Buffer[] {
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  for (let i = 0; i === 0 || i < bytes.length; i += 255) parts.push(bytes.subarray(i, i + 255))
  return parts
}

/** Finds a free port, as dns2 does not report a port that is in use. */
export async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const isFree = await isFreeForUdp(port)
  await once(server.close(), 'close')
  return isFree ? port : freePort()
}

/** Whether a port that is free for TCP is free for UDP, too. */
async function isFreeForUdp(port: number): Promise<boolean> {
  const socket = createSocket('udp4')
  const bound = await new Promise<boolean>((resolve) => socket.once('error', () => resolve(false)).bind(port, '127.0.0.1', () => resolve(true)))
  socket.close()
  return bound
}
