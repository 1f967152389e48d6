import { workerData } from 'node:worker_threads'
import type { Envelope } from '../envelope.ts'
import { authenticateMail } from '../outbound/mail-authentication.ts'
import type { AuthenticatedMail } from '../outbound/mail-authentication.ts'
import { openResolver } from '../outbound/dns.ts'
import { findUnauthenticated } from '../store/mail/authentications.ts'
import type { Database } from '../store/database.ts'
import { readSource } from '../store/mail/message-chunks.ts'
import { lowerPriority } from './low-priority.ts'
import { runThread } from './thread-main.ts'
import type { ThreadSettings } from './thread.ts'

export interface MailsToAuthenticate {
  messageIds: string[]
}

/** Interval of the heartbeats while mails wait for DNS. */
const heartbeatMs = 1_000
/** Time that a result waits for those of other mails under way: results that are reported together share a commit. */
const flushDelayMs = 20

const { dnsServers, mxHost, signingKey } = workerData as ThreadSettings
const resolver = openResolver(dnsServers)
let underWay = 0
let nextFlush: PromiseWithResolvers<void> | undefined
let heartbeat: NodeJS.Timeout | undefined

await runThread<MailsToAuthenticate>(({ messageIds }, { db, settle, sendHeartbeat }) => {
  underWay += messageIds.length
  heartbeat ??= setInterval(sendHeartbeat, heartbeatMs)
  for (const id of messageIds) void settle(id, 0, () => authenticateStored(db, id).finally(waitForFlush))
}, () => resolver.close())

/** This thread only reads: the job writes the results in the transaction that completes it. */
async function authenticateStored(db: Database, messageId: string): Promise<AuthenticatedMail> {
  const mail = await findUnauthenticated(db, messageId)
  if (!mail) return { results: null, arc: null }
  return authenticateMail(readSource(db, messageId), JSON.parse(mail.envelope) as Envelope, {
    lookup: resolver.lookup,
    mta: mxHost,
    sealKey: mail.isForwarded ? signingKey : null,
  })
}

function waitForFlush(): Promise<void> {
  if (!nextFlush) {
    nextFlush = Promise.withResolvers()
    setTimeout(flush, flushDelayMs)
  }
  const { promise } = nextFlush
  if (--underWay === 0) flush()
  return promise
}

function flush() {
  nextFlush?.resolve()
  nextFlush = undefined
  if (underWay > 0) return
  clearInterval(heartbeat)
  heartbeat = undefined
}

// as it only reads, no other thread waits for a lock of this one
lowerPriority(10)
