import type { Address } from '@mayfly-mail/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { keys } from '../../api/keys.ts'
import { itemsOf, pagesOf } from '../../api/pages.ts'
import { mayfly } from '../../api/session.ts'

/** Addresses that a search looks at: the newest ones. */
export const maxSearched = 1_000
const limit = 100

/**
 * The active addresses whose name contains a text. The API has no search of addresses, so their pages are loaded one after the other until
 * there are enough matches.
 * @param minMatches matches after which no further page is loaded
 */
export function useAddressSearch(text: string, minMatches: number) {
  const query = useInfiniteQuery({
    ...pagesOf<Address>(keys.addressNames('active'), async (before) => {
      const { addresses, hasMore } = await mayfly.addresses.list({ status: 'active', limit, ...before && { before } })
      return { items: addresses, hasMore }
    }),
    staleTime: 60_000,
  })
  const searched = itemsOf(query.data)
  const wanted = text.trim().toLowerCase()
  const matches = wanted === '' ? searched : searched.filter(({ address }) => address.includes(wanted))
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const needsMore = matches.length < minMatches && hasNextPage && searched.length < maxSearched && !isFetchNextPageError
  useEffect(() => {
    if (needsMore && !isFetchingNextPage) void fetchNextPage()
  }, [needsMore, isFetchingNextPage, fetchNextPage])
  return { ...query, matches, searched, isSearching: needsMore || query.isPending, isCutOff: hasNextPage && searched.length >= maxSearched }
}
