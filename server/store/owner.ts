import { sql as raw, TableNode, UpdateQueryNode } from 'kysely'
import type { DeleteQueryNode, Expression, ExpressionBuilder, OperationNodeSource, SelectQueryNode, SqlBool } from 'kysely'
import { keyIsBound } from '../errors.ts'
import { domainPart } from '../mailbox.ts'
import type { Value } from './changes/prepared.ts'
import type { AccountRow } from './schema/accounts.ts'
import type { Schema } from './schema/schema.ts'
import type { Bound, Mode, Owner, Tenant } from './schema/values.ts'

/** The owner of mail that the server sends for itself, such as sign-in links: no account. */
export const systemOwner: Tenant = { accountId: '', mode: 'live' }

/**
 * The tenant rule: confines a query to the rows of an owner, and to its bound. The linter forbids to write this filter anywhere else.
 * A prepared query passes its `value` in place of an owner.
 * @param table named where several tables of the query have owners
 * @throws AppError `MISSING_SCOPE` for an owner with a bound, of a table whose rows belong to no address
 * @example sql.selectFrom('webhooks').$call(ownedBy(owner))
 */
export function ownedBy(owner: Owner | Value<Owner>, table?: OwnedTable) {
  const { accountId, mode } = typeof owner === 'function' ? { accountId: owner('accountId'), mode: owner('mode') } : owner
  const { bound } = owner
  const prefix = table ? `${table}.` : ''
  return <Query extends object>(query: Query): Query => {
    const owned = (query as Filterable).where(`${prefix}account_id`, '=', accountId).where(`${prefix}mode`, '=', mode)
    return (bound ? withinBound(owned, { accountId, mode, bound }, table ?? tableOf(owned)) : owned) as Query
  }
}

/**
 * The owner without its bound, for what belongs to no address: the domain of a new address, webhooks that get an event, the total of a
 * search. Its result must not be shown to a caller with a bound.
 */
export const unbound = ({ accountId, mode }: Tenant): Owner => ({ accountId, mode, bound: undefined })

/** Whether an address is in a bound. @param address whole */
export function isWithin({ addressIds, aliasPrefix, domains }: Bound, { id, address }: { id: string, address: string }): boolean {
  return (addressIds?.includes(id) ?? true) && address.startsWith(aliasPrefix ?? '') && (domains?.includes(domainPart(address)) ?? true)
}

/** A new member of a bound does not compile without its condition. */
const conditions: {
  [Member in keyof Required<Bound>]: (row: AddressConditions, limit: NonNullable<Bound[Member]>) => Expression<SqlBool>
} = {
  addressIds: (row, ids) => row('addresses.id', 'in', ids),
  aliasPrefix: (row, prefix) => row(raw`substr(addresses.alias, 1, ${raw.lit(prefix.length)})`, '=', prefix),
  domains: (row, names) => row(raw`substr(addresses.address, length(addresses.alias) + 2)`, 'in', names),
  maxAddresses: (row) => row.lit(true),
}

type AddressConditions = ExpressionBuilder<Schema, 'addresses'>

const boundConditions = (row: AddressConditions, bound: Bound) => row.and((Object.keys(conditions) as (keyof Bound)[])
  .flatMap((name) => bound[name] === undefined ? [] : conditions[name](row, bound[name] as never)))

function withinBound(query: Filterable, { bound, ...owner }: Owner & { bound: Bound }, table: string): Filterable {
  if (table === 'addresses') return query.where((row: AddressConditions) => boundConditions(row, bound))
  if (table !== 'emails') throw keyIsBound()
  return query.where('emails.address_id', 'in', (from: ExpressionBuilder<Schema, 'emails'>) => from.selectFrom('addresses')
    .select('addresses.id').$call(ownedBy({ ...owner, bound: undefined }, 'addresses')).where((row) => boundConditions(row, bound)))
}

/** The table of a query that has one. */
function tableOf(query: Filterable): string {
  const node = query.toOperationNode() as SelectQueryNode | UpdateQueryNode | DeleteQueryNode
  const table = UpdateQueryNode.is(node) ? node.table! : node.from!.froms[0]!
  return TableNode.is(table) ? table.table.identifier.name : ''
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

/** As `hasAccount`, and of an account that is held for its move to another database: its callers are told to come again. */
export const hasAccountOrHeld = (row: ExpressionBuilder<Schema, 'addresses'>) =>
  row.exists(accountOf(row as never).select('accounts.id').where(isPresentOrHeld))

export const isPresentOrHeld = (row: ExpressionBuilder<Schema, 'accounts'>) =>
  row.or([row('accounts.deleted_at', 'is', null), row('accounts.move', 'in', ['held', 'committed'])])

/** The state of the move of the account of an address. */
export const moveOf = (row: ExpressionBuilder<Schema, 'addresses'>) =>
  accountOf(row as never).select('accounts.move').as('move')

/** Of a row that was found: while its account is held for its move to another database, the request is unavailable. */
export type Moving = Pick<AccountRow, 'move'>

const accountOf = (row: ExpressionBuilder<Schema, never>) =>
  row.selectFrom('accounts').whereRef('accounts.id', '=', 'addresses.account_id' as 'accounts.id')

type TableOfAccounts = { [Table in keyof Schema]: Schema[Table] extends Record<'account_id', string | null> ? Table : never }[keyof Schema]

type OwnedTable = { [Table in keyof Schema]: Schema[Table] extends Record<'account_id', string> & Record<'mode', Mode> ? Table : never }[keyof Schema]

/** A select, an update or a delete of any table: Kysely's types of these have no common base. */
interface Filterable extends OperationNodeSource {
  where(column: string, operator: '=' | 'in', value: unknown): Filterable
  where(condition: (row: AddressConditions) => Expression<SqlBool>): Filterable
}

/** Hides the emails of a removed address, which a job removes in steps. */
export const isShown = (row: ExpressionBuilder<Schema, 'emails'>) =>
  row('emails.address_id', 'not in', row.selectFrom('removed_mailboxes').select('removed_mailboxes.address_id'))
