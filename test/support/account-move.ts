import { cancelMove, moveAccount, moveSteps } from '../../server/domain/account-move.ts'
import type { AccountMoveOptions, MovedAccount, MoveStep } from '../../server/domain/account-move.ts'
import { openDatabase } from '../../server/store/database.ts'
import type { TestApp } from './app.ts'

export { moveSteps }
export type { MoveStep }

/** The sources of mail at both databases are in this store. */
type Options = Partial<AccountMoveOptions> & { sources?: TestApp['app']['config']['sources'] }

/** Moves an account between the databases of two servers, as `mayfly move` does. */
export const moveTo = (from: TestApp, to: TestApp, account: string, options: Options = {}): Promise<MovedAccount> =>
  withDatabases(from, to, (sides) => moveAccount(sides, account, { signal: new AbortController().signal, ...options }))

export const cancelMoveTo = (from: TestApp, to: TestApp, account: string): Promise<object> =>
  withDatabases(from, to, (sides) => cancelMove(sides, account))

/** Moves an account up to a step, after which the command is killed. */
export async function moveUntil(from: TestApp, to: TestApp, account: string, last: MoveStep): Promise<void> {
  const killed = new Error('killed')
  const onStep = (step: MoveStep) => { if (step === last) throw killed }
  await moveTo(from, to, account, { onStep }).then(
    () => { throw new Error('the move has ended') },
    (error: unknown) => { if (error !== killed) throw error })
}

async function withDatabases<T>(from: TestApp, to: TestApp, run: (sides: Parameters<typeof moveAccount>[0]) => Promise<T>): Promise<T> {
  const source = await openDatabase(from.app.config.database, from.app.clock, { migrate: false, sources: from.app.config.sources })
  const target = await openDatabase(to.app.config.database, to.app.clock, { migrate: false })
  try {
    return await run({ source, target })
  } finally {
    await source.close()
    await target.close()
  }
}
