import { keys } from '../../api/keys.ts'
import { dropRows } from '../../api/live-rows.ts'
import { queryClient } from '../../api/query-client.ts'

/** Removes deleted addresses, and their mail, from the lists. */
export function dropAddresses(ids: ReadonlySet<string>) {
  dropRows('addresses', ({ id }) => ids.has(id))
  dropRows<{ id: string, addressId: string }>('emails', ({ addressId }) => ids.has(addressId))
  void queryClient.invalidateQueries({ queryKey: keys.addresses() })
  void queryClient.invalidateQueries({ queryKey: keys.emails() })
}
