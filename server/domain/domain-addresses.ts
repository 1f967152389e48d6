import { bindAddresses } from '../store/address-binding.ts'
import type { Tx } from '../store/database.ts'
import { enqueue } from '../store/jobs.ts'

/** Addresses changed in one transaction: it must not hold the database for long. */
const addressesAtOnce = 200

/**
 * Has the list and the number of active addresses follow their domain, which was verified, has lost its verification or was removed.
 * Some at a time: what one address shows and receives follows the domain at once.
 */
export async function followDomain(tx: Tx, domainId: string): Promise<void> {
  if (await bindAddresses(tx, domainId, addressesAtOnce) === addressesAtOnce) await enqueue(tx, 'bind-addresses', { domainId })
}
