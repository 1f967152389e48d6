import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { keys } from '../../api/keys.ts'
import { mayfly } from '../../api/session.ts'
import { showDone } from '../../ui/notify.tsx'
import { domainTexts as texts } from './texts.ts'

const intervalMs = 10_000
/** Checks in a row, 15 minutes; then the user has to ask for the next ones. */
const maxChecks = 90

/** Checks the DNS records of a domain, repeatedly while it is pending and the page is visible. */
export function useCheck(id: string, listedStatus: string) {
  const client = useQueryClient()
  const [startedAt, setStartedAt] = useState(() => Date.now())
  const check = useQuery({
    queryKey: keys.domains('check', id),
    queryFn: ({ signal }) => mayfly.domains.verify(id, { signal }),
    staleTime: intervalMs,
    refetchInterval: ({ state: { data, error, dataUpdatedAt } }) =>
      error || data?.status === 'verified' || dataUpdatedAt - startedAt > maxChecks * intervalMs ? false : intervalMs,
  })
  const status = check.data?.status
  const domain = check.data?.domain
  useEffect(() => {
    if (status === undefined || domain === undefined || status === listedStatus) return
    if (status === 'verified') showDone(texts.verified(domain))
    void client.invalidateQueries({ queryKey: keys.domains('list') })
  }, [status, domain, listedStatus, client])
  return {
    ...check,
    hasEnded: check.dataUpdatedAt - startedAt > maxChecks * intervalMs,
    checkNow() {
      setStartedAt(Date.now())
      void check.refetch()
    },
  }
}
