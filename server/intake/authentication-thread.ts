import { waitAtMost } from '../deadline.ts'
import type { Envelope } from '../envelope.ts'
import { authenticateMail } from '../outbound/mail-authentication.ts'
import type { AuthenticatedMail } from '../outbound/mail-authentication.ts'
import { openResolver } from '../outbound/dns.ts'
import { findUnauthenticated } from '../store/mail/authentications.ts'
import { readSource } from '../store/mail/message-chunks.ts'
import type { HeldMail } from './held-mails.ts'
import { readShared } from './shared-sources.ts'
import { lowerPriority } from './low-priority.ts'
import { runDatabaseThread } from './database-thread.ts'

export interface MailToAuthenticate {
  messageId: string
  /** Undefined when it is to be read from the database. */
  held: HeldMail | undefined
}

export interface MailsToAuthenticate {
  mails: MailToAuthenticate[]
}

/** Bytes of a mail that are read at once: checks of other mails continue between two pieces. */
const pieceBytes = 64 * 1024
/** Interval of the heartbeats while mails wait for DNS. */
const heartbeatMs = 1_000
/** Time that a result waits for those of other mails under way: results that are reported together share a commit. */
const flushDelayMs = 20
/** Time after which a check counts as waiting for the DNS. */
const maxTurnMs = 3

runDatabaseThread<MailsToAuthenticate>(({ data, db, settle, sendHeartbeat }) => {
  const { dnsServers, mxHost, signingKey, sharedSources } = data
  const resolver = openResolver(dnsServers)
  const inTurn = openTurns()
  const together = openFlushes(sendHeartbeat)

  function authenticateHeld({ source, envelope, isForwarded }: HeldMail): Promise<AuthenticatedMail> {
    const bytes = typeof source === 'string' ? Buffer.from(source, 'latin1') : readShared(sharedSources!, source)
    return authenticateMail(piecesOf(bytes), envelope, optionsOf(isForwarded))
  }

  /** This thread only reads: the thread that writes mail stores the results, and completes the job. */
  async function authenticateStored(messageId: string): Promise<AuthenticatedMail> {
    const mail = await findUnauthenticated(db, messageId)
    if (!mail) return { results: null, arc: null }
    return authenticateMail(readSource(db, messageId), JSON.parse(mail.envelope) as Envelope, optionsOf(mail.isForwarded))
  }

  const optionsOf = (isForwarded: boolean) => ({ lookup: resolver.lookup, mta: mxHost, sealKey: isForwarded ? signingKey : null })

  return {
    work({ mails }) {
      together.begin(mails.length)
      for (const { messageId, held } of mails) {
        void settle(messageId, 0, () =>
          inTurn(() => held ? authenticateHeld(held) : authenticateStored(messageId)).finally(together.end))
      }
    },
    closing: () => resolver.close(),
  }
})

async function* piecesOf(bytes: Uint8Array) {
  for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes)
}

/**
 * Begins a check when the one before has ended or waits for the DNS: mails that are checked together are all in memory, which makes the
 * garbage collector slow.
 */
function openTurns() {
  let lastTurn: Promise<unknown> = Promise.resolve()
  return <Result>(check: () => Promise<Result>): Promise<Result> => {
    const result = lastTurn.then(check)
    lastTurn = waitAtMost(maxTurnMs, result.catch(() => {}))
    return result
  }
}

/**
 * Delays results up to `flushDelayMs`, so that those of checks under way are reported, and committed, together.
 * @param sendHeartbeat called at intervals while checks are under way
 */
function openFlushes(sendHeartbeat: () => void) {
  let underWay = 0
  let nextFlush: PromiseWithResolvers<void> | undefined
  let heartbeat: NodeJS.Timeout | undefined

  function flush() {
    nextFlush?.resolve()
    nextFlush = undefined
    if (underWay > 0) return
    clearInterval(heartbeat)
    heartbeat = undefined
  }

  return {
    begin(checks: number) {
      underWay += checks
      heartbeat ??= setInterval(sendHeartbeat, heartbeatMs)
    },
    /** Called at the end of a check. @returns resolves when its result is to be reported */
    end(): Promise<void> {
      if (!nextFlush) {
        nextFlush = Promise.withResolvers()
        setTimeout(flush, flushDelayMs)
      }
      const { promise } = nextFlush
      if (--underWay === 0) flush()
      return promise
    },
  }
}

// an answer of the DNS without records is an error for mailauth: recording where each was made takes a tenth of a check
Error.stackTraceLimit = 0
// as it only reads, no other thread waits for a lock of this one
lowerPriority(10)
