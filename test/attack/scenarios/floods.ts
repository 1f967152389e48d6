import { chunkOf, forever, httpReply, pipeline, smtpReply } from '../attack.ts'
import type { Scenario } from '../scenario.ts'

/** The server's limit of SMTP sessions per address. */
const sessions = 100
/** Addresses that guess recipients. */
const guessers = 20

/** Pipelined commands and requests. */
export const floods: Scenario[] = [
  {
    name: 'rcpt-flood',
    says: '100 SMTP sessions that pipeline RCPT TO: an address again and again, its tags, unknown ones',
    attack: ({ smtpPort, busy: { address } }, note) => {
      const tagged = Array.from({ length: 1_000 }, (_, i) => `RCPT TO:<${address.replace('@', `+${i}@`)}>`)
      const unknown = Array.from({ length: 1_000 }, (_, i) => `RCPT TO:<nobody-${i}@mail.localhost>`)
      const chunks = [[`RCPT TO:<${address}>`], tagged, unknown].map((lines) => chunkOf(lines))
      const opening = 'EHLO attack.example\r\nMAIL FROM:<a@attack.example>\r\n'
      return forever(note, (i) => pipeline(smtpPort, { opening, chunk: chunks[i % chunks.length]!, reply: smtpReply }, note), sessions)
    },
  },
  {
    name: 'guesses',
    says: '100 SMTP sessions from 20 addresses that guess recipients, in pipelines',
    attack: ({ smtpPort }, note) => {
      const chunk = chunkOf(Array.from({ length: 1_000 }, (_, i) => `RCPT TO:<guess-${i}@mail.localhost>`))
      const opening = 'EHLO attack.example\r\nMAIL FROM:<a@attack.example>\r\n'
      const from = (i: number) => `127.0.9.${1 + i % guessers}`
      return forever(note, (i) => pipeline(smtpPort, { opening, chunk, reply: smtpReply, from: from(i) }, note), sessions)
    },
  },
  {
    name: 'smtp-commands',
    says: '100 SMTP sessions that pipeline NOOP, RSET, and MAIL with RSET',
    attack: ({ smtpPort }, note) => {
      const chunks = [['NOOP'], ['RSET'], ['MAIL FROM:<a@attack.example>', 'RSET']].map((lines) => chunkOf(lines))
      const opening = 'EHLO attack.example\r\n'
      return forever(note, (i) => pipeline(smtpPort, { opening, chunk: chunks[i % chunks.length]!, reply: smtpReply }, note), sessions)
    },
  },
  {
    name: 'refused',
    says: '95 connections that pipeline requests over the rate limit',
    variables: { MAYFLY_RATE_LIMIT: '1000' }, // the measured account stays below it
    attack: ({ httpPort, busy: { key } }, note) => {
      const chunk = chunkOf(['GET /api/v1/addresses HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${key}`, ''])
      return forever(note, () => pipeline(httpPort, { chunk, reply: httpReply }, note))
    },
  },
]
