import type { App, Services } from '../../context.ts'
import type { OperationId } from '../../contract/operations.gen.ts'
import { AppError } from '../../errors.ts'
import { accountDeleted, lockAccountIfPresent } from '../../store/accounts/accounts.ts'
import { insertChangeRecords } from '../../store/accounts/idempotency-keys.ts'
import type { Tx } from '../../store/database.ts'
import { answerGone } from '../operations/idempotency.ts'
import type { ApiReply, ApiRequest, Change, UnitOfWork } from './handler.ts'

/**
 * A change in one transaction, which also inserts the audit record, and the row of an `Idempotency-Key` with the answer
 * (docs/decisions/0002).
 */
type ChangeSteps<Id extends OperationId, Result> = Run<Id, Result> & Answer<Id, Result>

type Run<Id extends OperationId, Result> =
  /** Carries out the change in its transaction. */
  | { run(tx: Tx, request: ApiRequest<Id>, app: Services): Promise<Result> }
  /** For a change with work that waits for something else, such as writing a mail. @returns carries out the change in its transaction */
  | { prepare(app: App, request: ApiRequest<Id>): Promise<(tx: Tx) => Promise<Result>> }

type Answer<Id extends OperationId, Result> =
  | {
    /** Makes the answer from the result. It is stored for repetitions. */
    reply(result: Result, request: ApiRequest<Id>): ApiReply<Id>
    /** Makes the answer to a repetition, where it differs. */
    toRepeat?(reply: ApiReply<Id>): ApiReply<Id>
  }
  | {
    /**
     * Reads the answer after the transaction, and again for a repetition: for answers that must not be stored, or are not known yet. The
     * result is stored instead. Changes nothing.
     */
    show(app: App, request: ApiRequest<Id>, result: Result): Promise<ApiReply<Id>>
  }

/**
 * Makes the handler of an operation that changes something. It throws the AppError `INVALID_API_KEY` when the account was deleted during
 * the request.
 */
export const change = <Id extends OperationId, Result>(steps: ChangeSteps<Id, Result>): Change<Id> => ({
  async carryOut(app, request, unit) {
    const run = 'run' in steps ? (tx: Tx) => steps.run(tx, request, app) : await steps.prepare(app, request)
    const { result, reply } = await app.db.commit(async (tx) => {
      if (request.caller && !await lockAccountIfPresent(tx, request.caller.accountId)) throw accountDeleted()
      const result = await run(tx)
      const reply = 'reply' in steps ? steps.reply(result, request) : undefined
      const stored = reply === undefined ? result ?? null : 'toRepeat' in steps ? steps.toRepeat!(reply) : reply
      await insertChangeRecords(tx, unit.recordsOf(stored))
      return { result, reply }
    }, { usesReserve: unit.usesReserve })
    unit.markCommitted()
    return 'show' in steps ? steps.show(app, request, result) : reply!
  },

  async repeat(app, request, stored) {
    if ('reply' in steps) return stored as ApiReply<Id>
    try {
      return await steps.show(app, request, stored as Result)
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
  repeat: async (_app, _request, stored) => stored as ApiReply<Id>,
})
