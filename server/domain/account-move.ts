import { hash } from 'node:crypto'
import { secondMs } from '../clock.ts'
import { pause } from '../deadline.ts'
import { removeLinksOf } from '../store/accounts/sign-in-links.ts'
import { reserveNamesOf } from '../store/addresses/address-names.ts'
import { removeDomainsOf } from '../store/addresses/domains.ts'
import { aloneAmongNodes } from '../store/database.ts'
import type { Database } from '../store/database.ts'
import { enqueue } from '../store/jobs/jobs.ts'
import { findConflict, haveSameVersion, isSameDatabase } from '../store/move/account-checks.ts'
import { AccountCopy } from '../store/move/account-copy.ts'
import type { AccountCopyOptions } from '../store/move/account-copy.ts'
import { releaseAll, removeMovedJobs, removeTaken, takeAll, takeWaiting } from '../store/move/account-jobs.ts'
import type { Sides } from '../store/move/account-rows.ts'
import { endMove, findMoving, holdAccount, openAccount, putArriving, readAccount, setMove } from '../store/move/account-states.ts'
import type { AccountState } from '../store/move/account-states.ts'
import { storedNames } from '../store/outgoing/mail-counts.ts'
import { insertFormerSecrets, makeSecret, readFormerSecrets, readSecret } from '../store/secrets.ts'
import type { AloneOptions } from '../store/shared-database.ts'
import { counterNamesOf } from './leaving-mail.ts'
import { planSweeps } from './retention.ts'

export interface AccountMoveOptions extends Pick<AccountCopyOptions, 'signal' | 'onMessages'>, Pick<AloneOptions, 'onWait'> {
  /** Called after each step. */
  onStep?: (step: MoveStep) => void
}

export interface MovedAccount {
  id: string
  email: string
  /** Milliseconds from the hold until the target shows the account; 0 when an earlier call held it. */
  heldMs: number
}

/** Maximum time for which a move waits for attempts to deliver mail and webhooks before it holds the account. */
const maxAttemptMs = 30 * secondMs
const askAgainMs = 100
/** After this time streams and waits at the source have ended; until then they find that the account moves. */
const removalDelayMs = 10 * secondMs

/**
 * Moves an account from one PostgreSQL database to another while it works. It is held for the last seconds, and at no moment do both
 * show it. After an error it works at the source, unless the error begins with `mayBeHeld`. Then, and when the process ends without an
 * error, it stays held until the same call, or `cancelMove`.
 * @param wanted the id or the e-mail address of the account
 * @throws Error whose message names `--account`, `--from` or `--to`
 */
export async function moveAccount(sides: Sides, wanted: string, options: AccountMoveOptions): Promise<MovedAccount> {
  return alone(sides, options, (lost) => moveAlone(sides, wanted, options, lost))
}

/** Two commands at once would write rows of the source over newer ones of the target. */
const alone = <T>({ source }: Sides, { onWait }: Pick<AloneOptions, 'onWait'>, work: (lost: AbortSignal) => Promise<T>): Promise<T> =>
  aloneAmongNodes(source, work, { kind: 'move', onWait })

async function moveAlone(sides: Sides, wanted: string, options: AccountMoveOptions, lost: AbortSignal): Promise<MovedAccount> {
  const account = await findMovable(sides, wanted)
  const to = await nameOf(sides.target)
  if (account.move && account.moveTo !== to) throw new Error('--to: is not the database to which the account moves. Name that one.')
  const signal = AbortSignal.any([options.signal, lost])
  const copy = await openCopy(sides, account.id, { ...options, signal })
  const state: RunningMove = { ...sides, account, copy, to, signal, lost, heldAt: null, shownAt: null }
  for (const step of stepsFrom(account)) {
    await steps[step](state).catch((error: Error) => giveBack(state, error))
    options.onStep?.(step)
  }
  const { heldAt, shownAt } = state
  const email = (await readAccount(sides.target, account.id))?.email ?? account.email
  return { id: account.id, email, heldMs: heldAt !== null && shownAt !== null ? shownAt - heldAt : 0 }
}

interface RunningMove extends Sides {
  /** As it was when this call began. */
  account: AccountState
  signal: AbortSignal
  /** Aborts when another command may begin. */
  lost: AbortSignal
  copy: AccountCopy
  /** The name of the target. */
  to: string
  /** In milliseconds of `performance.now()`. */
  heldAt: number | null
  shownAt: number | null
}

/** In their order. Each can be repeated. */
const steps = {
  begun: begin,
  copied: ({ copy }) => copy.copyMost(),
  waited: waitForAttempts,
  held: hold,
  compared: copyHeld,
  committed: commit,
  shown: show,
  ended: end,
} satisfies Record<string, (state: RunningMove) => Promise<void>>

export type MoveStep = keyof typeof steps
export const moveSteps = Object.keys(steps) as MoveStep[]

function stepsFrom({ move }: AccountState): MoveStep[] {
  if (move === 'moved') return []
  return moveSteps.slice(move === 'committed' ? moveSteps.indexOf('shown') : 0)
}

const openCopy = (sides: Sides, accountId: string, { signal, onMessages }: AccountMoveOptions) => AccountCopy.open(sides, accountId, {
  signal, onMessages, counterNamesOf: (id, verified) => storedNames(counterNamesOf(id, verified)),
})

export const mayBeHeld = '--account: may still be held: run the same command again, or with --cancel.'

/** Lets the account work at the source again after a step has failed, if it can. @throws Error with the message of the step's */
async function giveBack(state: RunningMove, error: Error): Promise<never> {
  try {
    state.lost.throwIfAborted()
    await reopen(state, state.account.id)
  } catch (failure) {
    throw new Error(`${mayBeHeld} ${error.message || (failure as Error).message}`, { cause: error }) // an interruption has no message
  }
  throw error
}

/** @throws Error when the move can only go on */
async function reopen({ source }: Sides, accountId: string) {
  await source.commit(async (tx) => {
    await openAccount(tx, accountId, 'held')
    if ((await readAccount(tx, accountId))?.move) throw new Error(tooLate)
    await releaseAll(tx, accountId)
  })
}

const tooLate = '--account: it is too late to cancel. Run the command without --cancel: it ends the move.'

/** Inserts the account at the target, where it has no effect yet, after a check that it can have its names there. */
async function begin({ source, target, account }: RunningMove) {
  await refuseConflict({ source, target }, account)
  await source.commit(makeSecret) // of a database that had no server yet
  const secrets = [await readSecret(source), ...await readFormerSecrets(source)]
  await target.commit(async (tx) => {
    await insertFormerSecrets(tx, secrets)
    if (await putArriving(tx, source, account.id)) return
    const there = await readAccount(tx, account.id)
    throw new Error(there?.isDeleted === false
      ? '--to: has an account with this id already.'
      : '--to: is still removing an account with this id. Try again later.')
  })
}

async function refuseConflict({ source, target }: Sides, account: AccountState) {
  const conflict = await findConflict(source, target, account)
  if (conflict) throw new Error(`--to: ${conflict}`)
}

/** Stops new attempts to deliver mail and webhooks, and waits for those that run: one that the hold interrupts would be made twice. */
async function waitForAttempts({ source, account, signal }: RunningMove) {
  const deadline = performance.now() + maxAttemptMs
  while (await source.commit((tx) => takeWaiting(tx, account.id)) > 0 && performance.now() < deadline) await pause(askAgainMs, signal)
  signal.throwIfAborted()
}

async function hold(state: RunningMove) {
  if (state.account.move === 'held') return
  await state.source.commit(async (tx) => {
    if (!await holdAccount(tx, state.account.id, state.to)) throw new Error('--account: was deleted meanwhile.')
    await takeAll(tx, state.account.id) // in this transaction: a run that finds no account must not complete its job
  })
  state.heldAt = performance.now()
}

async function copyHeld({ source, target, account: { id }, copy, signal }: RunningMove) {
  await source.commit((tx) => takeAll(tx, id)) // those that runs have queued until the hold
  await refuseConflict({ source, target }, (await readAccount(source, id))!) // it may have got more names since
  if (!await target.commit((tx) => putArriving(tx, source, id))) throw new Error('--to: another command has ended this move. Run the command again.')
  await copy.copyAll()
  signal.throwIfAborted()
}

/** From here on the move can only go on. */
async function commit({ source, account }: RunningMove) {
  if (await source.commit((tx) => setMove(tx, account.id, 'held', 'committed'))) return
  throw new Error('--account: another command has ended its hold. Run the command again.')
}

async function show(state: RunningMove) {
  const { target, account: { id } } = state
  await target.commit(async (tx) => {
    if (!await openAccount(tx, id, 'arriving')) return // an earlier call has done so
    await releaseAll(tx, id)
    await planSweeps(tx) // they have passed mail as old as this
  })
  state.shownAt = performance.now()
}

/** Ends the account at the source as a deletion does, but keeps its names. */
async function end({ source, account: { id } }: RunningMove) {
  await source.commit(async (tx) => {
    const { email } = (await readAccount(tx, id))!
    if (!await endMove(tx, id, 'committed', 'moved')) return
    await removeLinksOf(tx, email)
    await removeDomainsOf(tx, id)
    await reserveNamesOf(tx, id)
    await removeMovedJobs(tx, id)
    await enqueue(tx, 'purge-account', { accountId: id, eventsAfter: 0 }, { runAt: tx.now + removalDelayMs })
  })
}

/** Gives a move up before the target shows the account: it works at the source, and the target removes its copy. */
export async function cancelMove(
  sides: Sides, wanted: string, options: Pick<AloneOptions, 'onWait'> = {},
): Promise<Pick<MovedAccount, 'id' | 'email'>> {
  return alone(sides, options, () => cancelAlone(sides, wanted))
}

async function cancelAlone(sides: Sides, wanted: string): Promise<Pick<MovedAccount, 'id' | 'email'>> {
  const account = await findMovable(sides, wanted)
  const isToOther = account.move !== null && account.moveTo !== await nameOf(sides.target) // which may have the copy of an earlier move
  if (!isToOther && (account.move === 'committed' || account.move === 'moved')) throw new Error(tooLate)
  if (!isToOther) await reopen(sides, account.id)
  await sides.target.commit(async (tx) => {
    if (!await endMove(tx, account.id, 'arriving', null)) return
    await removeTaken(tx, account.id)
    await reserveNamesOf(tx, account.id) // they are in use at the source, and a later move takes them again
    await removeDomainsOf(tx, account.id)
    await enqueue(tx, 'purge-account', { accountId: account.id, eventsAfter: 0 })
  })
  return account
}

/** A name of a database: a hash of its secret. */
async function nameOf(db: Database): Promise<string> {
  await db.commit(makeSecret) // of a database that had no server yet
  return hash('sha256', await readSecret(db), 'hex').slice(0, 16)
}

async function findMovable({ source, target }: Sides, wanted: string): Promise<AccountState> {
  if (await isSameDatabase(source, target)) throw new Error('--to: is the database of --from. Name another one.')
  if (!await haveSameVersion(source, target)) {
    throw new Error('--to: is of another version than --from. Bring both up to date: mayfly migrate')
  }
  const account = await findMoving(source, wanted)
  if (account?.move === 'arriving') throw new Error('--account: is on its way to --from. End that move first.')
  if (account && (!account.isDeleted || account.move)) return account
  const moved = await findMoving(target, wanted)
  if (moved?.isDeleted === false) throw new Error('--account: is in --to already, and not in --from.')
  throw new Error(`--account: there is no account ${wanted} in --from. "mayfly account list" shows the accounts.`)
}
