import type { AcceptedMessage } from '../../envelope.ts'
import type { Tx } from '../database.ts'
import { moveClaimant } from '../jobs/claims.ts'
import type { TaskName } from '../jobs/job-payloads.ts'
import { jobsOfAccount, recipientsInclude } from './account-tables.ts'
import type { Sides } from './account-rows.ts'

/**
 * The jobs of an account that moves. The move claims them, so that no node runs them. A node that runs one has lost its claim, and its
 * run no effect.
 */

/** Tasks with effects outside of the database, which must not be done twice. */
const outside: TaskName[] = ['deliver-mail', 'deliver-webhook']

const conditionOf = (tasks: TaskName[]) => tasks.flatMap((task) => jobsOfAccount[task] === null ? [] : `task = '${task}' and (${jobsOfAccount[task]})`)
  .map((condition) => `(${condition})`).join(' or ')

const ofOutside = conditionOf(outside)
const ofAll = conditionOf(Object.keys(jobsOfAccount) as TaskName[])

/** Claims the jobs with effects outside that no node has claimed. @returns how many nodes run */
export async function takeWaiting(tx: Tx, accountId: string): Promise<number> {
  await tx.execute(`update jobs set claimed_by = $2 where claimed_by is null and (${ofOutside})`, [accountId, moveClaimant(accountId)])
  const { rows: [row] } = await tx.execute(`select count(*) as jobs from jobs where claimed_by <> $2 and (${ofOutside})`,
    [accountId, moveClaimant(accountId)]) as { rows: { jobs: number }[] }
  return row!.jobs
}

/** Claims all jobs of the account, also those that nodes run. @returns how many it did not have before */
export async function takeAll(tx: Tx, accountId: string): Promise<number> {
  const { numAffectedRows } = await tx.execute(`update jobs set claimed_by = $2 where claimed_by is distinct from $2 and (${ofAll})`,
    [accountId, moveClaimant(accountId)])
  return Number(numAffectedRows)
}

/** Has nodes run the jobs of the account. */
export async function releaseAll(tx: Tx, accountId: string): Promise<void> {
  await tx.sql.updateTable('jobs').set({ claimed_by: null }).where('claimed_by', '=', moveClaimant(accountId)).execute()
}

/** Copies the claimed jobs, in place of those that were copied before. The target's are claimed until `releaseAll`. */
export async function copyJobs({ source, target }: Sides, accountId: string): Promise<number> {
  const claimant = moveClaimant(accountId)
  const jobs = await source.sql.selectFrom('jobs').selectAll().where('claimed_by', '=', claimant).orderBy('id').execute()
  await target.commit(async (tx) => {
    await removeTaken(tx, accountId)
    // with new ids: a mail for several accounts is a job in each database
    for (const job of jobs) await tx.sql.insertInto('jobs').values({ ...job, id: tx.newId(), payload: payloadFor(accountId, job), claimed_by: claimant }).execute()
  })
  return jobs.length
}

function payloadFor(accountId: string, { task, payload }: { task: string, payload: string }): string {
  return task === ('parse-message' satisfies TaskName) ? withRecipients(payload, (recipient) => recipient.accountId === accountId) : payload
}

function withRecipients(payload: string, isKept: (recipient: { accountId?: string }) => boolean): string {
  const message = JSON.parse(payload) as AcceptedMessage
  const { envelope } = message
  return JSON.stringify({ ...message, envelope: { ...envelope, recipients: envelope.recipients.filter(isKept) } })
}

/** Removes the claimed jobs. */
export async function removeTaken(tx: Tx, accountId: string): Promise<void> {
  await tx.sql.deleteFrom('jobs').where('claimed_by', '=', moveClaimant(accountId)).execute()
}

/** Removes the claimed jobs of an account that has left, and releases those about mail of other accounts too, for these. */
export async function removeMovedJobs(tx: Tx, accountId: string): Promise<void> {
  const claimant = moveClaimant(accountId)
  const { rows: parsed } = await tx.execute(`select id, payload from jobs where claimed_by = $2 and task = 'parse-message'
    and ${recipientsInclude('payload', '<>')}`, [accountId, claimant]) as { rows: { id: string, payload: string }[] }
  for (const { id, payload } of parsed) {
    await tx.sql.updateTable('jobs').set({ payload: withRecipients(payload, (recipient) => recipient.accountId !== accountId), claimed_by: null })
      .where('id', '=', id).execute()
  }
  await tx.execute(`update jobs set claimed_by = null where claimed_by = $1 and task = 'authenticate-message'
    and payload::json ->> 'messageId' in (select message_id from shared_messages)`, [claimant])
  await removeTaken(tx, accountId)
}
