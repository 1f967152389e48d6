import { useQuery } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { mayfly } from '../../api/session.ts'

/** The names of the account's keys by their ids; empty until they are loaded. */
export function useKeyNames(): Map<string, string> {
  const { data = [] } = useQuery({ queryKey: keys.apiKeys, queryFn: async () => mayfly.apiKeys.list() })
  return new Map(data.map(({ id, name }) => [id, name]))
}
