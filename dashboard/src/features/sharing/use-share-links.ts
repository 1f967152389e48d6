import { useMutation, useQuery } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { dataOf, shareLinksCreate, shareLinksDelete, shareLinksList } from '../../api/own-operations.ts'
import { queryClient } from '../../api/query-client.ts'
import { showDone } from '../../ui/notify.tsx'
import { sharingTexts as texts } from './texts.ts'

/** The links of an address that have not ended. */
export const useShareLinks = (addressId: string) => useQuery({
  queryKey: keys.shareLinks(addressId),
  queryFn: () => dataOf(shareLinksList({ path: { id: addressId } })),
})

export const useCreateShareLink = (addressId: string) => useMutation({
  meta: { showsOwnError: true },
  mutationFn: (hours: number) => dataOf(shareLinksCreate({ path: { id: addressId }, body: { hours } })),
  onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.shareLinks(addressId) }),
})

export const useEndShareLink = (addressId: string) => useMutation({
  mutationFn: (id: string) => shareLinksDelete({ path: { id } }),
  async onSuccess() {
    await queryClient.invalidateQueries({ queryKey: keys.shareLinks(addressId) })
    showDone(texts.ended)
  },
})
