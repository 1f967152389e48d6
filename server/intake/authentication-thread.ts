import { workerData } from 'node:worker_threads'
import type { Envelope } from '../envelope.ts'
import { authenticateMail } from '../outbound/mail-authentication.ts'
import type { AuthenticatedMail } from '../outbound/mail-authentication.ts'
import { openResolver } from '../outbound/dns.ts'
import { findUnauthenticated } from '../store/authentications.ts'
import type { Database } from '../store/database.ts'
import { readSource } from '../store/messages.ts'
import { answer } from './answering.ts'
import { lowerPriority } from './low-priority.ts'
import type { ThreadSettings } from './thread.ts'

export interface MailsToAuthenticate {
  messageIds: string[]
}

/** Milliseconds between two signs of life while mails wait for the DNS. */
const heartbeat = 1_000
/** Milliseconds that a result waits for others while there are any to come: those told together share a commit. */
const gathering = 20

const { dnsServers, mxHost, signingKey } = workerData as ThreadSettings
const resolver = openResolver(dnsServers)
let underWay = 0
let gathered: PromiseWithResolvers<void> | undefined
let pulse: NodeJS.Timeout | undefined

await answer<MailsToAuthenticate>(({ messageIds }, { db, settle, showLife }) => {
  underWay += messageIds.length
  pulse ??= setInterval(showLife, heartbeat)
  for (const id of messageIds) void settle(id, 0, () => authenticateStored(db, id).finally(gather))
}, () => resolver.close())

/** This thread only reads: the job that asked writes the results, together with its completion. */
async function authenticateStored(db: Database, messageId: string): Promise<AuthenticatedMail> {
  const mail = await findUnauthenticated(db, messageId)
  if (!mail) return { results: null, arc: null }
  return authenticateMail(readSource(db, messageId), JSON.parse(mail.envelope) as Envelope, {
    lookup: resolver.lookup,
    mta: mxHost,
    sealKey: mail.isForwarded ? signingKey : null,
  })
}

function gather(): Promise<void> {
  if (!gathered) {
    gathered = Promise.withResolvers()
    setTimeout(tell, gathering)
  }
  const { promise } = gathered
  if (--underWay === 0) tell()
  return promise
}

function tell() {
  gathered?.resolve()
  gathered = undefined
  if (underWay > 0) return
  clearInterval(pulse)
  pulse = undefined
}

// it never holds a lock that others wait for
lowerPriority(10)
