import type { ExpressionBuilder } from 'kysely'
import type { Value } from './changes/prepared.ts'
import type { Schema } from './schema/schema.ts'
import type { Mode, Owner } from './schema/values.ts'

/** The owner of mail that the server sends for itself, such as sign-in links: no account. */
export const systemOwner: Owner = { accountId: '', mode: 'live' }

/**
 * The tenant rule: confines a query to the rows of an owner. The linter forbids to write this filter anywhere else.
 * A prepared query passes its `value` in place of an owner.
 * @param table named where several tables of the query have owners
 * @example sql.selectFrom('webhooks').$call(ownedBy(owner))
 */
export function ownedBy(owner: Owner | Value<Owner>, table?: OwnedTable) {
  const { accountId, mode } = typeof owner === 'function' ? { accountId: owner('accountId'), mode: owner('mode') } : owner
  const prefix = table ? `${table}.` : ''
  return <Query extends object>(query: Query): Query =>
    (query as Filterable).where(`${prefix}account_id`, '=', accountId).where(`${prefix}mode`, '=', mode) as Query
}

/** As `ownedBy`, for tables whose rows belong to an account in both of its modes. */
export function ofAccount(accountId: string) {
  return <Query extends object>(query: Query): Query =>
    (query as Filterable).where('account_id', '=', accountId) as Query
}

/** Whether the account of a row is there and not deleted: rows of a deleted account have no effect while they are removed in steps. */
export const hasAccount = <Table extends TableOfAccounts>(table: Table) => (row: ExpressionBuilder<Schema, Table>) =>
  isPresent(row, `${table}.account_id`)

/** As `hasAccount`, and for outgoing mail of the server itself, which has no account. */
export const hasAccountOrIsSystem = (row: ExpressionBuilder<Schema, 'deliveries'>) =>
  row.or([row('deliveries.account_id', '=', systemOwner.accountId), hasAccount('deliveries')(row)])

const isPresent = (row: ExpressionBuilder<Schema, never>, accountId: string) => row.exists(row.selectFrom('accounts').select('accounts.id')
  .whereRef('accounts.id', '=', accountId as 'accounts.id').where('accounts.deleted_at', 'is', null))

type TableOfAccounts = { [Table in keyof Schema]: Schema[Table] extends Record<'account_id', string | null> ? Table : never }[keyof Schema]

type OwnedTable = { [Table in keyof Schema]: Schema[Table] extends Record<'account_id', string> & Record<'mode', Mode> ? Table : never }[keyof Schema]

/** A select, an update or a delete of any table: Kysely's types of these have no common base. */
interface Filterable {
  where(column: string, operator: '=', value: string): Filterable
}

/** Hides the emails of a removed address, which a job removes in steps. */
export const isShown = (row: ExpressionBuilder<Schema, 'emails'>) =>
  row('emails.address_id', 'not in', row.selectFrom('removed_mailboxes').select('removed_mailboxes.address_id'))
