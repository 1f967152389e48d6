import type { Authentication } from '../contract/types.gen.ts'
import { waitAtMost } from '../deadline.ts'
import { recordAuthentication } from '../domain/publishing.ts'
import type { Envelope } from '../envelope.ts'
import { openResolver } from '../outbound/dns.ts'
import { authenticateMail } from '../outbound/mail-authentication.ts'
import type { AuthenticatedMail } from '../outbound/mail-authentication.ts'
import { inTransaction, withReserve } from '../store/database.ts'
import { completeJob } from '../store/jobs/claims.ts'
import type { Claim } from '../store/jobs/claims.ts'
import { findUnauthenticated } from '../store/mail/authentications.ts'
import { readSource } from '../store/mail/message-chunks.ts'
import type { HeldMail } from './held-mails.ts'
import { readShared } from './shared-sources.ts'
import type { ThreadContext } from './thread-main.ts'

export interface MailToAuthenticate {
  messageId: string
  /** Of the job that authenticates it. */
  claim: Claim
  /** Undefined when it is to be read from the database. */
  held: HeldMail | undefined
}

/** SPF, DKIM, DMARC and ARC of received mail. */
export interface MailChecks {
  /** Authenticates a mail, records the results, and completes its job. @throws ClaimLost, AppError `STORAGE_FULL` */
  authenticate(mail: MailToAuthenticate): Promise<Authentication | undefined>
  /** Ends the queries under way. */
  close(): void
}

/** Bytes of a mail that are read at once, which takes up to 20 ms. */
const pieceBytes = 64 * 1024
/** Time of checks in a row after which mail that has arrived meanwhile is published. */
const maxBusyMs = 10
/** Interval of the heartbeats while mails wait for DNS. */
const heartbeatMs = 1_000
/** Time that a result waits for those of other mails under way, so that they share a commit. */
const flushDelayMs = 20
/** Time after which a check whose mail is read counts as waiting for the DNS. */
const maxWaitMs = 3

export function openMailChecks({ data, db, sendHeartbeat }: ThreadContext): MailChecks {
  const { dnsServers, mxHost, signingKey, sharedSources } = data
  const finishing = withReserve(db)
  const resolver = openResolver(dnsServers)
  const inTurn = openTurns()
  const together = openFlushes(sendHeartbeat)
  // an answer of the DNS without records is an error for mailauth: recording where each was made takes a tenth of a check
  Error.stackTraceLimit = 0

  function checkHeld({ source, envelope, isForwarded }: HeldMail, onRead: () => void): Promise<AuthenticatedMail> {
    const bytes = typeof source === 'string' ? Buffer.from(source, 'latin1') : readShared(sharedSources, source)
    return authenticateMail(piecesOf([bytes], onRead), envelope, optionsOf(isForwarded))
  }

  async function checkStored(messageId: string, onRead: () => void): Promise<AuthenticatedMail> {
    const mail = await findUnauthenticated(db, messageId)
    if (!mail) return { results: null, arc: null }
    const source = piecesOf(readSource(db, messageId), onRead)
    return authenticateMail(source, JSON.parse(mail.envelope) as Envelope, optionsOf(mail.isForwarded))
  }

  const optionsOf = (isForwarded: boolean) => ({ lookup: resolver.lookup, mta: mxHost, sealKey: isForwarded ? signingKey : null })

  return {
    async authenticate({ messageId, claim, held }) {
      together.begin()
      const checked = inTurn((onRead) => held ? checkHeld(held, onRead) : checkStored(messageId, onRead))
      const { results, arc } = await checked.finally(together.end)
      await inTransaction(finishing, async (tx) => {
        await recordAuthentication(tx, messageId, results, arc)
        await completeJob(tx, claim)
      }, { mayInterleave: true })
      return results ?? undefined
    },
    close: () => resolver.close(),
  }
}

let busySince = 0

/** Lets other work of this thread run, unless it could run a moment ago: many short breaks would make many small commits. */
async function letOthersWork(): Promise<void> {
  if (performance.now() - busySince < maxBusyMs) return
  await new Promise(setImmediate)
  busySince = performance.now()
}

/** @param onRead called when the last piece is read */
async function* piecesOf(source: AsyncIterable<Uint8Array> | Uint8Array[], onRead: () => void) {
  for await (const bytes of source) {
    for (let start = 0; start < bytes.length; start += pieceBytes) {
      if (start > 0) await letOthersWork()
      yield bytes.subarray(start, start + pieceBytes)
    }
  }
  onRead()
}

/**
 * Begins a check when the one before has ended, or its mail is read and it waits for the DNS: mails that are checked together are all in
 * memory, which makes the garbage collector slow.
 * @returns runs a check, which is given a function to call when the mail is read
 */
function openTurns() {
  let lastTurn: Promise<unknown> = Promise.resolve()
  return <Result>(check: (onRead: () => void) => Promise<Result>): Promise<Result> => {
    const reading = Promise.withResolvers<void>()
    const result = lastTurn.then(() => check(reading.resolve))
    const checked = result.catch(() => {})
    lastTurn = Promise.race([checked, reading.promise]).then(() => waitAtMost(maxWaitMs, checked)).then(letOthersWork)
    return result
  }
}

/**
 * Delays results up to `flushDelayMs`, so that those of checks under way are written together.
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
    begin() {
      underWay++
      heartbeat ??= setInterval(sendHeartbeat, heartbeatMs)
    },
    /** Called at the end of a check. @returns resolves when its result is to be written */
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
