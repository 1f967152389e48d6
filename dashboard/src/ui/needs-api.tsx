import { Alert } from '@mantine/core'
import { IconLock } from './icons.tsx'
import { useAccount } from '../api/account.ts'
import { planName } from './plan-name.ts'

/** In place of what only a plan with the API includes. */
export function NeedsApi({ title, text }: { title: string, text: (plan: string) => string }) {
  const { plan } = useAccount()
  return <Alert variant="default" role="note" mb="md" title={title} icon={<IconLock size={18} aria-hidden />}>{text(planName(plan))}</Alert>
}
