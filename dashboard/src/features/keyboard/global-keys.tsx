import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { isPaletteOpen, listenToPalette, openPalette, setPaletteOpen } from './palette-state.ts'
import { useKeys } from './use-keys.ts'

const KeysDialog = lazyPart(async () => (await import('./keys-dialog.tsx')).KeysDialog)

const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette)

/** The keys that work on all pages. */
export function GlobalKeys() {
  const navigate = useNavigate()
  const isPaletteShown = useSyncExternalStore(listenToPalette, isPaletteOpen)
  const [isHelpOpen, setHelpOpen] = useState(false)
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault() // browsers search
      openPalette()
    }
    document.addEventListener('keydown', open)
    return () => document.removeEventListener('keydown', open)
  }, [])
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
  return (
    <>
      {isHelpOpen && <KeysDialog onClose={() => setHelpOpen(false)} />}
      {isPaletteShown && <Palette onClose={() => setPaletteOpen(false)} />}
    </>
  )
}
