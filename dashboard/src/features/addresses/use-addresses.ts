import type { Address } from '@mayfly-mail/sdk'
import { useQuery } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { useLiveRows } from '../../api/live-rows.ts'
import type { Rows } from '../../api/live-rows.ts'
import { queryClient } from '../../api/query-client.ts'
import { mayfly } from '../../api/session.ts'

export type AddressState = 'all' | 'active' | 'expired'

const pageSize = 100

const listKey = (state: AddressState) => keys.addresses('list', state)

/** The addresses of the account, newest first. */
export const useAddresses = (state: AddressState) => useLiveRows<Address>({
  queryKey: listKey(state),
  keepsPrevious: true,
  async fetchPage(before, signal) {
    const { addresses, hasMore, total } = await mayfly.addresses.list({ limit: pageSize, before, ...state !== 'all' && { status: state } }, { signal })
    return { rows: addresses, hasMore, total }
  },
})

const oneKey = (id: string | undefined) => keys.addresses('one', id)

/** One address, from the list until it is loaded. */
export const useAddress = (id: string | undefined) => useQuery<Address>({
  queryKey: oneKey(id),
  queryFn: ({ signal }) => mayfly.addresses.get(id!, { signal }),
  enabled: id !== undefined,
  placeholderData: () => queryClient.getQueryData<Rows<Address>>(listKey('all'))?.rows.find((address) => address.id === id),
})

/** Shows a new address before the lists are loaded again. */
export function showNewAddress(address: Address) {
  queryClient.setQueryData(oneKey(address.id), address)
  for (const state of ['all', 'active'] as const) {
    queryClient.setQueryData<Rows<Address>>(listKey(state), (loaded) => loaded && !loaded.rows.some(({ id }) => id === address.id)
      ? { ...loaded, rows: [address, ...loaded.rows], total: loaded.total + 1 }
      : loaded)
  }
  void queryClient.invalidateQueries({ queryKey: listKey('all').slice(0, 3) })
}

/** Whether it receives mail at this moment. @param now ms since 1970 */
export const isReceiving = ({ isActive, expiresAt }: Address, now: number): boolean => isActive && expiresAt.getTime() > now
