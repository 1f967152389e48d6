import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface CrashReport {
  rounds: number
  /** Mails that were answered 250. */
  accepted: number
  /** Answered 250, but never published. */
  lost: string[]
  /** Published more than once. */
  repeated: string[]
}

/**
 * Kills the server with SIGKILL at random moments under load, again and again, on one database;
 * then starts it once more and compares what was answered 250 with what is published.
 */
export async function crashRounds(rounds: number, folder: string, progress: (round: number) => void = () => {}): Promise<CrashReport> {
  const accepted = new Set<string>()
  let key = ''
  let address = { id: '', address: '' }
  for (let round = 1; round <= rounds; round++) {
    const server = await startServer(folder)
    key ||= server.key
    address = address.id ? address : await newAddress(server.url, key)
    const load = sendUntilClosed(server.smtpPort, address.address, round, accepted)
    await new Promise((resolve) => setTimeout(resolve, randomInt(50, 800)))
    server.child.kill('SIGKILL')
    await Promise.all([server.exited, load])
    progress(round)
  }
  const server = await startServer(folder)
  const published = await publishedSubjects(server.url, key, address.id, accepted.size)
  server.child.kill('SIGTERM')
  await server.exited
  return {
    rounds,
    accepted: accepted.size,
    lost: [...accepted].filter((subject) => !published.includes(subject)),
    repeated: published.filter((subject, i) => published.indexOf(subject) !== i),
  }
}

async function startServer(folder: string) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../cli/mayfly.js', import.meta.url)), 'serve'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      MAYFLY_DATABASE: `${folder}/mayfly.db`,
      MAYFLY_HTTP_PORT: '0',
      MAYFLY_SMTP_PORT: '0',
      MAYFLY_MIN_FREE_BYTES: '0',
      MAYFLY_RATE_LIMIT: '1000000',
    },
  })
  const output = await outputUntilListening(child)
  return {
    child,
    exited: new Promise<void>((resolve) => child.once('exit', () => resolve())),
    url: /listening http=(\S+)/.exec(output)![1]!,
    smtpPort: Number(/smtp=\S+:(\d+)/.exec(output)![1]),
    key: /svc_live_\w+/.exec(output)?.[0] ?? '',
  }
}

async function outputUntilListening(child: ChildProcess) {
  let output = ''
  for await (const line of createInterface(child.stdout!)) {
    output += `${line}\n`
    if (line.startsWith('listening ')) return output
  }
  throw new Error('the server ended before it listened')
}

const connections = 8

/** Every fifth mail is long enough to be written in pieces while it arrives. */
const lengthOf = (mail: number) => mail % 5 === 0 ? 700_000 : 1_000

async function sendUntilClosed(port: number, recipient: string, round: number, accepted: Set<string>) {
  await Promise.all(Array.from({ length: connections }, async (_, connection) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const lines = createInterface(socket)
    const ended = { value: '', done: true }
    for (const end of [socket, lines]) end.on('error', () => {}) // the server is killed under it
    const replies = lines[Symbol.asyncIterator]()
    const expect = async (code: string) => {
      for (;;) {
        const { value, done } = await replies.next().catch(() => ended)
        if (done) return false
        if (value[3] !== '-') return value.startsWith(code)
      }
    }
    if (!await expect('220')) return
    socket.write('EHLO crash.example\r\n')
    await expect('250')
    for (let mail = 1; ; mail++) {
      const subject = `mail ${round}-${connection}-${mail}`
      socket.write(`MAIL FROM:<a@crash.example>\r\nRCPT TO:<${recipient}>\r\nDATA\r\n`)
      if (!(await expect('250') && await expect('250') && await expect('354'))) break
      socket.write(`From: a@crash.example\r\nSubject: ${subject}\r\n\r\n${'text text text\r\n'.repeat(lengthOf(mail) / 16)}.\r\n`)
      if (!await expect('250')) break
      accepted.add(subject)
    }
    socket.destroy()
  }))
}

async function newAddress(url: string, key: string) {
  const { data } = await call(url, key, '/addresses', { method: 'POST', body: '{}' }) as { data: { id: string, address: string } }
  return data
}

/** Reads the list until it has as many as were accepted, or stops growing for two seconds. */
async function publishedSubjects(url: string, key: string, addressId: string, wanted: number): Promise<string[]> {
  let grownAt = Date.now()
  let seen = -1
  while (Date.now() - grownAt < 2_000) {
    const { total } = await list(0, 1)
    if (total > seen) {
      seen = total
      grownAt = Date.now()
    }
    if (total >= wanted && Date.now() - grownAt > 300) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const subjects: string[] = []
  for (let offset = 0; offset < seen; offset += 100) subjects.push(...(await list(offset, 100)).data.map(({ subject }) => subject))
  return subjects

  function list(offset: number, limit: number) {
    return call(url, key, `/emails?address_id=${addressId}&limit=${limit}&offset=${offset}`) as Promise<{ total: number, data: { subject: string }[] }>
  }
}

async function call(url: string, key: string, path: string, init: RequestInit = {}): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, ...(init.body ? { 'content-type': 'application/json' } : {}) }
  const response = await fetch(`${url}/api/v1${path}`, { ...init, headers })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return response.json()
}
