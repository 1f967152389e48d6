import { useRouter } from '@tanstack/react-router'
import { ErrorState } from '../ui/states.tsx'

/** In place of a page whose data or code could not be loaded. */
export function RouteError({ error }: { error: unknown }) {
  const router = useRouter()
  return <ErrorState error={error} retry={() => void router.invalidate()} />
}
