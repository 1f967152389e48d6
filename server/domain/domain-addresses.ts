import { bindAddresses } from '../store/addresses/address-binding.ts'
import type { Tx } from '../store/database.ts'
import { enqueue } from '../store/jobs/jobs.ts'

/** Maximum addresses per transaction, so that it does not block other changes for long. */
const maxAddressesAtOnce = 200

/**
 * Updates `is_bound` of the addresses of a domain that was verified, has lost its verification or was removed: some now, the others by
 * jobs. Only lists and totals of addresses read it; the row of the domain decides whether one address is active, receives and sends
 * (docs/decisions/0015).
 */
export async function updateBinding(tx: Tx, domainId: string): Promise<void> {
  const changed = await bindAddresses(tx, domainId, maxAddressesAtOnce)
  if (changed === maxAddressesAtOnce) await enqueue(tx, 'bind-addresses', { domainId })
}
