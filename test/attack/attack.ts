import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { attackConnections, attackersAddress } from './bars.ts'
import { codeOf } from './figures.ts'
import { openHttp } from './http-client.ts'
import type { Call } from './http-client.ts'
import { sendMail } from './smtp-client.ts'
import type { Note, Target } from './scenario.ts'

/** Building blocks of the scenarios. */

/** Milliseconds between two tries of a connection that fails. */
const afterFailureMs = 50

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Repeats `work` endlessly, `count` at a time. A failure is counted by the code of its error. */
export async function forever(note: Note, work: (index: number) => Promise<void>, count = attackConnections): Promise<void> {
  await Promise.all(Array.from({ length: count }, async (_, index) => {
    for (;;) await work(index).catch((error: unknown) => recordFailure(note, error))
  }))
}

export async function recordFailure(note: Note, error: unknown): Promise<void> {
  note(codeOf(error))
  await pause(afterFailureMs)
}

/** @returns a function that calls the API as the attackers' account, and counts the status */
export function openCalls(target: Target, note: Note, connections = attackConnections): (call: Call) => Promise<string> {
  const client = openHttp(target.httpPort, attackersAddress, { maxSockets: connections })
  return async (call) => {
    const { status, text } = await client.call({ key: target.busy.key, ...call })
    note(String(status))
    return text
  }
}

/** Sends one mail to the attackers' address. */
export async function attackWithMail({ smtpPort, busy }: Target, note: Note, source: string | Buffer, sender = 'a@attack.example') {
  await sendMail(smtpPort, { from: attackersAddress, sender, recipient: busy.address, source })
  note('250')
}

/** The source of a mail with this text. */
export const textMail = (subject: string, text: string): Buffer =>
  Buffer.from(`From: a@attack.example\r\nSubject: ${subject}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n`)

export function openSocket(port: number, from = attackersAddress): Socket {
  return connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true })
}

interface Pipeline {
  /** Sent once. */
  opening?: string
  /** Sent repeatedly, as fast as the server reads. */
  chunk: Buffer
  /** Finds the status of each reply. */
  reply: RegExp
  /** The address to connect from. */
  from?: string
}

/** Writes without waiting for replies until the server closes the connection. */
export function pipeline(port: number, { opening = '', chunk, reply, from }: Pipeline, note: Note): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = openSocket(port, from)
    const write = () => { while (socket.writable && socket.write(chunk)) { /* until it is full */ } }
    socket.on('connect', () => {
      socket.write(opening)
      write()
    })
    socket.on('drain', write)
    socket.on('data', (data) => {
      const counts = new Map<string, number>()
      for (const [, status] of data.toString('latin1').matchAll(reply)) counts.set(status!, (counts.get(status!) ?? 0) + 1)
      for (const [status, count] of counts) note(status, count)
    })
    socket.on('error', reject)
    socket.on('close', () => resolve())
  })
}

export const smtpReply = /^(\d{3})[ -]/gm
export const httpReply = /HTTP\/1\.1 (\d{3})/g

/** Repeats lines up to a number of bytes, for a pipeline. */
export function chunkOf(lines: string[], bytes = 64 * 1024): Buffer {
  const round = lines.map((line) => `${line}\r\n`).join('')
  return Buffer.from(round.repeat(Math.ceil(bytes / round.length)))
}
