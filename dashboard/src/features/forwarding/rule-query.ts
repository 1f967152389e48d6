import { queryOptions } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { mayfly } from '../../api/session.ts'

export const ruleQuery = (addressId: string) => queryOptions({
  queryKey: keys.forwarding('rule', addressId),
  queryFn: ({ signal }) => mayfly.forwardingRules.get(addressId, { signal }),
  staleTime: 60_000,
})
