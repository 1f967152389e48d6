import { createHash } from 'node:crypto'
import { minuteMs, secondMs } from '../clock.ts'
import type { App, Caller } from '../context.ts'
import type { SmtpFaults, SmtpFaultsSet, SmtpFaultStep, SmtpStage } from '../contract/types.gen.ts'
import type { Recipient } from '../envelope.ts'
import { invalidRequest, MailRefusedError, notFound, tooManyTries } from '../errors.ts'
import { findFaults, lockFaults, readFaults, setFaults, storeFaults } from '../store/addresses/smtp-faults.ts'
import type { StoredStep } from '../store/addresses/smtp-faults.ts'
import { inTransaction } from '../store/database.ts'
import type { Database, Tx } from '../store/database.ts'
import { burstRate } from '../turns/usage-rate.ts'
import { recordRefusedTry, shownReply } from './smtp-activity.ts'

/** Time after which a triple that was deferred is accepted. */
const greylistMs = secondMs
/** Maximum triples that a greylist knows; the oldest are forgotten. All of them are read with the steps, for each recipient. */
const maxTriples = 200
/** Characters of a triple that a greylist knows: 8 bytes of its hash as base64url, and when it came first, with base 36. */
const tripleLength = 11 + 9

const deferredByGreylist = { code: 451, enhanced: '4.7.1', text: 'Greylisted, try again later' }
const deferredByRate = { code: 450, enhanced: '4.7.1', text: 'Too many recipients in a minute, try again later' }

/**
 * Replaces the faults of an address.
 * @throws AppError `NOT_FOUND`, `INVALID_REQUEST` for members that do not fit each other
 */
export async function setSmtpFaults(tx: Tx, caller: Caller, addressId: string, { steps }: SmtpFaultsSet): Promise<SmtpFaults> {
  const complete = steps.map(completed)
  if (!await setFaults(tx, caller, addressId, complete)) throw notFound('address')
  return { steps: complete }
}

/** @throws AppError `NOT_FOUND` */
export async function getSmtpFaults(db: Database, caller: Caller, addressId: string): Promise<SmtpFaults> {
  const steps = await findFaults(db, caller, addressId)
  if (!steps) throw notFound('address')
  return { steps: steps.map((step) => ({ ...step, seen: undefined, minute: undefined })) }
}

/** Validates a step. @returns the step with the default values of missing members @throws AppError `INVALID_REQUEST` */
function completed(step: SmtpFaultStep, index: number, steps: SmtpFaultStep[]): SmtpFaultStep {
  const { at, code, enhanced, text, times, delayMs, drop, kind } = step
  const refuse = (member: keyof SmtpFaultStep, message: string) => invalidRequest(`body.steps.${index}.${member}`, message)
  if (kind !== undefined) {
    const first = steps.findIndex((other) => other.kind === kind)
    if (first < index) throw refuse('kind', `is that of steps.${first} already; an address has one step of a kind`)
    const other = (['code', 'enhanced', 'text', 'delayMs', 'drop'] as const).find((member) => step[member] !== undefined)
    if (other) throw refuse(other, 'cannot stand beside kind; leave it out')
    if (at !== 'rcpt') throw refuse('at', `must be rcpt for the kind ${kind}`)
    if (kind === 'rate' && times === undefined) throw refuse('times', 'is required for the kind rate: the recipients in a minute')
    if (kind === 'greylist' && times !== undefined) throw refuse('times', 'has no meaning for the kind greylist; leave it out')
    return step
  }
  if (drop && code !== undefined) throw refuse('drop', 'cannot stand beside code: a connection is dropped without a reply')
  if (code === undefined) {
    const member = enhanced !== undefined ? 'enhanced' : text !== undefined ? 'text' : undefined
    if (member) throw refuse(member, 'needs a code')
    if (!drop && delayMs === undefined) throw refuse('at', 'needs a fault beside it: code, delayMs, drop or kind')
  } else if (enhanced !== undefined && enhanced[0] !== String(code)[0]) {
    throw refuse('enhanced', `must begin with ${String(code)[0]}, as the code ${code} does`)
  }
  return withDefaults(step)
}

/** A valid step with the default values of its missing members. */
export function withDefaults(step: SmtpFaultStep): SmtpFaultStep {
  const { drop, ...members } = step
  const { code, enhanced = `${String(code)[0]}.0.0`, text = 'A fault on purpose', times = 1, kind } = members
  if (kind !== undefined) return step
  return { ...drop ? step : members, ...code !== undefined && { code, enhanced, text }, times }
}

/** The moment of a session at which a step may be taken. */
export interface FaultOccasion {
  stage: SmtpStage
  /** Whether the session has the login of the address. */
  hasLogin: boolean
  /** Of the client; empty for mail that did not come over the network. */
  network: string
  sender: string
  /** Of RCPT; empty at other stages. */
  recipient: string
}

/** A fault that was taken: a delay, and then an error or nothing. */
export interface FaultResult {
  delayMs: number
  error: SmtpFaultError | undefined
}

/** A mail or a command that a fault of an address refuses. */
export class SmtpFaultError extends MailRefusedError {
  constructor(addressId: string, stage: SmtpStage, { code, enhanced = '', text = '' }: Pick<SmtpFaultStep, 'code' | 'enhanced' | 'text'>) {
    const answer = code === undefined ? 'drops the connection' : `answers ${code} ${enhanced} ${text}`
    super(
      'CONFLICT', `An SMTP fault of the address ${answer} at ${stage}. Send the email again, or end the faults.`,
      code === undefined ? null : { code, status: enhanced, text }, addressId)
  }
}

/**
 * Takes the next step of a stage, in a transaction of its own: nodes that share the database count together.
 * @returns undefined when none is left, so that the session goes on
 */
async function takeFault(db: Database, addressId: string, occasion: FaultOccasion): Promise<FaultResult | undefined> {
  const isAtStage = (step: StoredStep) => stageOf(step, occasion.hasLogin) === occasion.stage
  if (!(await readFaults(db, addressId)).some(isAtStage)) return undefined
  return inTransaction(db, async (tx) => {
    const steps = await lockFaults(tx, addressId)
    let changed = false
    for (const step of steps.filter(isAtStage)) {
      const { fault, isChanged }: StepResult = step.kind ? rules[step.kind](step, occasion, tx.now) : countTime(step)
      changed ||= isChanged
      if (!fault) continue
      if (changed) await storeFaults(tx, addressId, steps.filter(({ times }) => times !== 0))
      const isError = fault.code !== undefined || fault.drop
      return { delayMs: fault.delayMs ?? 0, error: isError ? new SmtpFaultError(addressId, occasion.stage, fault) : undefined }
    }
    if (changed) await storeFaults(tx, addressId, steps)
    return undefined
  })
}

/**
 * The stage at which a step is taken. Without a login, the address is known at RCPT, and all recipients at DATA: a session that ends
 * before, or that its client gives up, would take the mail from the addresses of others.
 */
function stageOf({ at, drop, code, delayMs }: StoredStep, hasLogin: boolean): SmtpStage | undefined {
  if (hasLogin || at === 'data' || at === 'end') return at
  if (at === 'auth') return undefined
  return drop || code === endOfSession || delayMs !== undefined ? 'data' : 'rcpt'
}

/** The code of a reply after which the server closes the connection (RFC 5321, section 3.8). */
const endOfSession = 421

/** Of a step: the fault, undefined where the session passes, and whether the step counts something new. */
interface StepResult {
  fault: Partial<SmtpFaultStep> | undefined
  isChanged: boolean
}

function countTime(step: StoredStep): StepResult {
  step.times = (step.times ?? 1) - 1
  return { fault: step, isChanged: true }
}

/** Each counts in its step. */
const rules = {
  greylist(step: StoredStep, { network, sender, recipient }: FaultOccasion, now: number): StepResult {
    const hash = createHash('sha256').update(JSON.stringify([network, sender, recipient])).digest()
    const triple = hash.toString('base64url', 0, 8)
    const { seen = '' } = step
    for (let start = 0; start < seen.length; start += tripleLength) {
      if (!seen.startsWith(triple, start)) continue
      const first = parseInt(seen.slice(start + triple.length, start + tripleLength), 36)
      return { fault: now - first >= greylistMs ? undefined : deferredByGreylist, isChanged: false }
    }
    step.seen = (seen + triple + now.toString(36).padStart(9, '0')).slice(-maxTriples * tripleLength)
    return { fault: deferredByGreylist, isChanged: true }
  },
  rate(step: StoredStep, _occasion: FaultOccasion, now: number): StepResult {
    if (!step.minute || now - step.minute.from >= minuteMs) step.minute = { from: now, count: 0 }
    if (step.minute.count >= step.times!) return { fault: deferredByRate, isChanged: false } // a new minute has room
    step.minute.count++
    return { fault: undefined, isChanged: true }
  },
}

/** Steps a second of an address that are taken, each a transaction; after a pause, as many at once as a step can have. */
const faultsPerSecond = 100
const maxFaultsAtOnce = 1_000

/**
 * Returns a function that takes the steps of addresses at SMTP sessions, within a rate by address and by network. The function throws
 * `tooManyTries` beyond it.
 * @param now in milliseconds
 */
export function limitedFaults(
  { db }: Pick<App, 'db'>, now?: () => number,
): (addressId: string, occasion: FaultOccasion) => Promise<FaultResult | undefined> {
  const ofAddress = burstRate(faultsPerSecond, maxFaultsAtOnce, now)
  const ofNetwork = burstRate(faultsPerSecond, maxFaultsAtOnce, now)
  return async (addressId, occasion) => {
    if (ofAddress.waitMs(addressId) > 0 || ofNetwork.waitMs(occasion.network) > 0) throw tooManyTries(addressId)
    ofAddress.record(addressId, 1)
    ofNetwork.record(occasion.network, 1)
    return takeFault(db, addressId, occasion)
  }
}

/**
 * Applies the faults of an address to a mail that does not come over SMTP, without their delays. A refusal is recorded in the activity.
 * @param shownSender the sender in the activity
 * @throws SmtpFaultError
 */
export async function passFaults(
  app: App, { addressId, address, hasFaults }: Recipient, sender: string, shownSender = sender,
): Promise<void> {
  if (!hasFaults) return
  for (const stage of ['rcpt', 'data', 'end'] as const) {
    const { error } = await takeFault(app.db, addressId, { stage, hasLogin: false, network: '', sender, recipient: address }) ?? {}
    if (!error) continue
    const refused = { stage, client: null, from: shownSender, ...shownReply(error.reply) }
    await recordRefusedTry(app, refused, [{ addressId, recipients: [address] }])
    throw error
  }
}
