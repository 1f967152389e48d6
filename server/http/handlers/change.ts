import type { App } from '../../context.ts'
import type { OperationId } from '../../contract/operations.gen.ts'
import { AppError } from '../../errors.ts'
import { insertChangeRecords } from '../../store/change-records.ts'
import type { ChangeRecords } from '../../store/change-records.ts'
import type { Database } from '../../store/database.ts'
import { answerGone } from '../keyed-request.ts'
import type { Change, Recording, Reply, Request } from './handler.ts'

/**
 * A change whose answer is made of the result of its transaction, and stored by it.
 * @param run runs one transaction of the app, and returns its result
 * @param toReply makes the answer of the result alone
 * @param toRepeat what a repetition is answered with, where that is not the whole answer
 */
export const change = <Id extends OperationId, Result>(
  run: (app: App, request: Request<Id>) => Promise<Result>,
  toReply: (result: Result, request: Request<Id>) => Reply<Id>,
  toRepeat: (reply: Reply<Id>) => Reply<Id> = (reply) => reply,
): Change<Id> => ({
  async carryOut(app, request, recording) {
    const { reply } = await inOneTransaction(app, (app) => run(app, request), recording, (result) => {
      const reply = toReply(result, request)
      return { reply, answer: toRepeat(reply) }
    })
    return reply
  },
  repeat: async (_app, _request, answer) => answer as Reply<Id>,
})

/**
 * A change that is answered with what there is when it is asked for, also when it is asked for again: what must not be stored twice.
 * @param run runs one transaction of the app, and returns its result, which is stored
 * @param show answers by the result; changes nothing
 */
export const changeShown = <Id extends OperationId, Result>(
  run: (app: App, request: Request<Id>) => Promise<Result>,
  show: (app: App, request: Request<Id>, result: Result) => Promise<Reply<Id>>,
): Change<Id> => ({
  async carryOut(app, request, recording) {
    const { result } = await inOneTransaction(app, (app) => run(app, request), recording, (result) => ({ result, answer: result ?? null }))
    return show(app, request, result)
  },
  async repeat(app, request, answer) {
    try {
      return await show(app, request, answer as Result)
    } catch (error) {
      throw error instanceof AppError && error.code === 'NOT_FOUND' ? answerGone() : error
    }
  },
})

/**
 * A change that a thread makes, or the last of several transactions.
 * @param run has the records of its answer written in the transaction of the change, and returns that answer
 */
export const changeInThread = <Id extends OperationId>(
  run: (app: App, request: Request<Id>, recordsOf: (answer: Reply<Id>) => ChangeRecords) => Promise<Reply<Id>>,
): Change<Id> => ({
  async carryOut(app, request, recording) {
    const reply = await run(app, request, recording.recordsOf)
    recording.done()
    return reply
  },
  repeat: async (_app, _request, answer) => answer as Reply<Id>,
})

/**
 * Runs a change, and has its one transaction write the records.
 * @param make what comes of the result; its `answer` is stored
 * @throws Error when there is no transaction, or a second one, or when `run` returns anything but its result
 */
async function inOneTransaction<Result, Made extends { answer: unknown }>(
  app: App, run: (app: App) => Promise<Result>, recording: Recording, make: (result: Result) => Made,
): Promise<Made> {
  let isBegun = false
  let made: { result: unknown, made: Made } | undefined
  const commit: Database['commit'] = async (work, options) => {
    if (isBegun) throw new Error('A request makes its change in one transaction; this is its second.')
    isBegun = true
    const result = await app.db.commit(async (tx) => {
      const result = await work(tx)
      made = { result, made: make(result as unknown as Result) }
      await insertChangeRecords(tx, recording.recordsOf(made.made.answer))
      return result
    }, options)
    recording.done()
    return result
  }
  const result = await run({ ...app, db: { ...app.db, commit } })
  if (!made || made.result !== result) throw new Error('The answer to a change is made of the result of its transaction.')
  return made.made
}
