import type { Context } from 'koa'
import type { App, Caller } from '../context.ts'
import { operations } from '../contract/operations.gen.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import { AppError } from '../errors.ts'
import { inTransaction } from '../store/database.ts'
import { deleteKey, findKey, insertKey, noteAnswer } from '../store/idempotency-keys.ts'
import type { IdempotencyKeyRow } from '../store/idempotency-tables.ts'
import { withFirstTransaction } from './first-transaction.ts'
import type { Plan } from './handlers/handler.ts'
import { answerGone, keyedRequest, usedOtherwise } from './keyed-request.ts'
import type { Asked, KeyedRequest } from './keyed-request.ts'
import { writeTogether } from './write-together.ts'

/** Carries a request out: what it changes goes through the app that it is given. */
type CarryOut = (app: App, plan?: Plan) => Promise<object>

export interface Repetitions {
  /**
   * Answers a request, or answers it again when it has a key that was used before.
   * @param app the one that notes changes in the audit log
   * @throws AppError `INVALID_REQUEST` for a malformed key, `CONFLICT` for one of another request
   */
  answer(ctx: Context, app: App, caller: Caller, asked: Asked, carryOut: CarryOut): Promise<object>
  /** Writes what waits. */
  flush(): Promise<void>
}

interface Answer {
  reply: object
  isReplay: boolean
}

/** What answers with a mail. That is not kept a second time, where it would outlive the mail: it is shown as it is then, or not at all. */
const madeAnew: OperationId[] = ['emails.update']
/** What a thread changes, so that no transaction here can note the key with it. */
const planned: OperationId[] = ['test.createEmail']

/**
 * Carries out a request that has an `Idempotency-Key` once. The transaction of the change notes the key, and what it
 * returned; the answer is noted a little later. Should the process die between the two, a repeated request goes the same
 * way, but for that transaction, which returns again what it did return.
 */
export function repetitions(app: App): Repetitions {
  const underWay = new Map<string, { fingerprint: string, answer: Promise<Answer> }>()
  // until an answer is noted it stands in memory
  const { add: noteLater, flush } = writeTogether<KeyedRequest & { answer: string }>(app, {
    patience: 20,
    async write(tx, notes) {
      for (const { answer, ...request } of notes) {
        await noteAnswer(tx, { ...rowOf(request), status: operations[request.operationId].status, answer })
      }
    },
    lost: 'answers to repeat are lost',
    done: (notes) => { for (const { name } of notes) underWay.delete(name) },
  })

  async function answerFirst(audited: App, request: KeyedRequest, carryOut: CarryOut): Promise<Answer> {
    let isKept = false
    try {
      const row = await findKey(app.db, request, app.clock.now())
      if (row && row.fingerprint !== request.fingerprint) throw usedOtherwise()
      if (row?.answer) return { reply: JSON.parse(row.answer) as object, isReplay: true }
      const answer = await (planned.includes(request.operationId) ? carryOutPlan : row ? answerAgain : carryOutOnce)(
        { app, audited, request, row, carryOut })
      isKept = !madeAnew.includes(request.operationId)
      if (isKept) noteLater({ ...request, answer: JSON.stringify(answer.reply) })
      return answer
    } finally {
      if (!isKept) underWay.delete(request.name)
    }
  }

  return {
    flush,
    async answer(ctx, audited, caller, asked, carryOut) {
      const key = operations[asked.operationId].method === 'get' ? undefined : ctx.req.headers['idempotency-key']
      if (key === undefined) return carryOut(audited)
      const request = keyedRequest(String(key), caller, asked)
      for (;;) {
        const other = underWay.get(request.name)
        // one that fails leaves the key to the next
        if (other && other.fingerprint !== request.fingerprint) {
          if (await other.answer.then(() => true, () => false)) throw usedOtherwise()
          continue
        }
        const answer = other?.answer ?? answerFirst(audited, request, carryOut)
        if (!other) underWay.set(request.name, { fingerprint: request.fingerprint, answer })
        const { reply, isReplay } = await answer
        if (other || isReplay) ctx.set('Idempotency-Replayed', 'true')
        return reply
      }
    },
  }
}

interface Carrying {
  app: App
  audited: App
  request: KeyedRequest
  row: IdempotencyKeyRow | undefined
  carryOut: CarryOut
}

async function carryOutOnce({ app, audited, request, carryOut }: Carrying): Promise<Answer> {
  const { db, isDone } = withFirstTransaction(audited.db, (tx, result) => insertKey(tx, rowOf(request, result)))
  try {
    return { reply: await carryOut({ ...audited, db }), isReplay: false }
  } catch (error) {
    if (isDone()) await forgetRefused(app, request, error)
    throw error
  }
}

/** Makes an answer that is not there: what was changed stays as it is. */
async function answerAgain({ audited, row, carryOut }: Carrying): Promise<Answer> {
  let isFirst = true
  const commit: App['db']['commit'] = async (work) => {
    if (!isFirst) return audited.db.commit(work)
    isFirst = false
    return outcomeOf(row) as never
  }
  try {
    return { reply: await carryOut({ ...audited, db: { ...audited.db, commit } }), isReplay: true }
  } catch (error) {
    throw error instanceof AppError ? answerGone() : error
  }
}

/** What will be made is noted before it is, and looked for when the request comes again. */
async function carryOutPlan({ app, audited, request, row, carryOut }: Carrying): Promise<Answer> {
  let isNoted = false
  const note = async (id: string) => {
    await inTransaction(app.db, async (tx) => {
      await deleteKey(tx, request)
      await insertKey(tx, rowOf(request, id))
    })
    isNoted = true
  }
  try {
    const reply = await carryOut(audited, { before: outcomeOf(row) as string | undefined, note })
    return { reply, isReplay: !isNoted }
  } catch (error) {
    if (isNoted) await forgetRefused(app, request, error)
    throw error
  }
}

/** What fails by a fault of ours may have been done, and must not be done again. */
async function forgetRefused(app: App, request: KeyedRequest, error: unknown) {
  if (!(error instanceof AppError)) return
  await inTransaction(app.db, (tx) => deleteKey(tx, request))
    .catch((failure: unknown) => app.log.error({ err: failure }, 'the key of a refused request stays'))
}

const rowOf = ({ accountId, mode, key, operationId, fingerprint }: KeyedRequest, outcome?: unknown) => ({
  account_id: accountId, mode, key, operation: operationId, fingerprint, outcome: outcome === undefined ? null : JSON.stringify(outcome),
})

const outcomeOf = (row: IdempotencyKeyRow | undefined): unknown => row && row.outcome !== null ? JSON.parse(row.outcome) : undefined
