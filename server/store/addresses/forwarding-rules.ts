import type { ForwardingRule } from '../../contract/types.gen.ts'
import type { Database, Tx } from '../database.ts'
import { ownedBy } from '../owner.ts'
import type { Owner } from '../schema/values.ts'

/** The settings of a rule, which are always written together. */
export type RuleSettings = Pick<ForwardingRule, 'forwardToId' | 'filterSender' | 'filterSubject' | 'isActive'>

/** @returns an empty rule for an address without one; undefined when the owner has no such address */
export async function findRule(db: Database | Tx, owner: Owner, addressId: string): Promise<ForwardingRule | undefined> {
  const row = await db.sql.selectFrom('addresses')
    .leftJoin('forwarding_rules', 'forwarding_rules.address_id', 'addresses.id')
    .leftJoin('forwarding_addresses', 'forwarding_addresses.id', 'forwarding_rules.forward_to_id')
    .select([
      'forwarding_rules.id', 'forwarding_rules.forward_to_id as forwardToId', 'forwarding_addresses.email as forwardToEmail',
      'forwarding_rules.filter_sender as filterSender', 'forwarding_rules.filter_subject as filterSubject', 'forwarding_rules.is_active',
    ])
    .where('addresses.id', '=', addressId)
    .$call(ownedBy(owner, 'addresses'))
    .executeTakeFirst()
  return row && toRule(row)
}

/** Writes the rule of an address, and makes it when there is none. */
export async function putRule(tx: Tx, addressId: string, settings: RuleSettings): Promise<void> {
  const columns = {
    forward_to_id: settings.forwardToId,
    filter_sender: settings.filterSender,
    filter_subject: settings.filterSubject,
    is_active: settings.isActive ? 1 as const : 0 as const,
  }
  await tx.sql.insertInto('forwarding_rules').values({ address_id: addressId, id: tx.newId(), ...columns })
    .onConflict((conflict) => conflict.column('address_id').doUpdateSet(columns)).execute()
}

export async function removeRuleOf(tx: Tx, addressId: string): Promise<void> {
  await tx.sql.deleteFrom('forwarding_rules').where('address_id', '=', addressId).execute()
}

/** Deletes the rules that forward to an address. */
export async function removeRulesTo(tx: Tx, forwardToId: string): Promise<void> {
  await tx.sql.deleteFrom('forwarding_rules').where('forward_to_id', '=', forwardToId).execute()
}

const toRule = ({ is_active, ...rule }: Omit<ForwardingRule, 'isActive'> & { is_active: number | null }): ForwardingRule =>
  ({ ...rule, isActive: is_active === 1 })
