import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useKeys } from './use-keys.ts'

const KeysDialog = lazyPart(async () => (await import('./keys-dialog.tsx')).KeysDialog)

/** The keys that work on all pages. */
export function GlobalKeys() {
  const navigate = useNavigate()
  const [isHelpOpen, setHelpOpen] = useState(false)
  useKeys({
    goToMail: () => void navigate({ to: '/mail' }),
    goToSend: () => void navigate({ to: '/send' }),
    goToDomains: () => void navigate({ to: '/domains' }),
    goToForwarding: () => void navigate({ to: '/forwarding' }),
    goToWebhooks: () => void navigate({ to: '/webhooks' }),
    goToKeys: () => void navigate({ to: '/keys' }),
    goToAnalytics: () => void navigate({ to: '/analytics' }),
    goToAudit: () => void navigate({ to: '/audit' }),
    goToAccount: () => void navigate({ to: '/account' }),
    help: () => setHelpOpen(true),
  })
  return isHelpOpen && <KeysDialog onClose={() => setHelpOpen(false)} />
}
