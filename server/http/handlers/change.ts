import type { App } from '../../context.ts'
import type { OperationId } from '../../contract/operations.gen.ts'
import { AppError } from '../../errors.ts'
import { accountDeleted, keepAccount } from '../../store/accounts/accounts.ts'
import { insertChangeRecords } from '../../store/accounts/change-records.ts'
import type { Database } from '../../store/database.ts'
import { answerGone } from '../keyed-request.ts'
import type { Change, ApiReply, ApiRequest, UnitOfWork } from './handler.ts'

/**
 * A change whose answer is made from the result of its transaction alone. The transaction stores it for repetitions.
 * @param run runs one transaction of the app, and returns its result
 * @param toReply makes the answer
 * @param toRepeat makes the answer to a repetition, where it differs
 */
export const change = <Id extends OperationId, Result>(
  run: Run<Id, Result>,
  toReply: (result: Result, request: ApiRequest<Id>) => ApiReply<Id>,
  toRepeat: (reply: ApiReply<Id>) => ApiReply<Id> = (reply) => reply,
): Change<Id> => ({
  async carryOut(app, request, unit) {
    const { reply } = await inOneTransaction(app, request, run, unit, (result) => {
      const reply = toReply(result, request)
      return { reply, stored: toRepeat(reply) }
    })
    return reply
  },
  repeat: repeatStored,
})

/**
 * A change whose answer is read from the database after its transaction, and read again for a repetition: for answers that must not be
 * stored, or are not known yet.
 * @param run runs one transaction of the app, and returns its result, which is stored instead
 * @param show makes the answer; changes nothing
 */
export const changeShown = <Id extends OperationId, Result>(
  run: Run<Id, Result>,
  show: (app: App, request: ApiRequest<Id>, result: Result) => Promise<ApiReply<Id>>,
): Change<Id> => ({
  async carryOut(app, request, unit) {
    const { result } = await inOneTransaction(app, request, run, unit, (result) => ({ result, stored: result ?? null }))
    return show(app, request, result)
  },
  async repeat(app, request, stored) {
    try {
      return await show(app, request, stored as Result)
    } catch (error) {
      throw error instanceof AppError && error.code === 'NOT_FOUND' ? answerGone() : error
    }
  },
})

/**
 * A change in a transaction of another thread, or in the last one of several.
 * @param run has that transaction insert the records of the answer, and returns the answer
 */
export const changeInThread = <Id extends OperationId>(
  run: (app: App, request: ApiRequest<Id>, recordsOf: UnitOfWork['recordsOf']) => Promise<ApiReply<Id>>,
): Change<Id> => ({
  async carryOut(app, request, unit) {
    const reply = await run(app, request, unit.recordsOf)
    unit.markCommitted()
    return reply
  },
  repeat: repeatStored,
})

/** Answers a repetition with the stored answer. */
async function repeatStored<Id extends OperationId>(_app: App, _request: ApiRequest<Id>, stored: unknown) {
  return stored as ApiReply<Id>
}

type Run<Id extends OperationId, Result> = (app: App, request: ApiRequest<Id>) => Promise<Result>

/**
 * Runs a change, and has its one transaction insert the records.
 * @param answerOf is called with the result within the transaction; `stored` is what the key is stored with
 * @throws AppError `INVALID_API_KEY` when the account was deleted during the request
 * @throws Error when there is no transaction, or a second one, or when `run` returns anything but the result of the transaction
 */
async function inOneTransaction<Id extends OperationId, Result, Answer extends { stored: unknown }>(
  app: App, request: ApiRequest<Id>, run: Run<Id, Result>, unit: UnitOfWork, answerOf: (result: Result) => Answer,
): Promise<Answer> {
  let isBegun = false
  let committed: { result: unknown, answer: Answer } | undefined
  const commit: Database['commit'] = async (work, options) => {
    if (isBegun) throw new Error('A change is made in one transaction; this is its second.')
    isBegun = true
    const result = await app.db.commit(async (tx) => {
      if (request.caller && !await keepAccount(tx, request.caller.accountId)) throw accountDeleted()
      const result = await work(tx)
      const answer = answerOf(result as unknown as Result)
      await insertChangeRecords(tx, unit.recordsOf(answer.stored))
      committed = { result, answer }
      return result
    }, unit.usesReserve ? { usesReserve: true } : options)
    unit.markCommitted()
    return result
  }
  const result = await run({ ...app, db: { ...app.db, commit } }, request)
  if (!committed || committed.result !== result) {
    throw new Error('The answer to a change is made of the result of its transaction.')
  }
  return committed.answer
}
