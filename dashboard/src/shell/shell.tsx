import { Burger } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useMode } from '../api/mode.ts'
import { GlobalKeys } from '../features/keyboard/global-keys.tsx'
import { texts } from '../texts.ts'
import { Navigation } from './navigation.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import classes from './shell.module.css'
import { useLive } from './use-live.ts'

/** The frame of all pages: navigation at the side, on a phone behind a button, and a note while the server does not answer. */
export function Shell() {
  const mode = useMode()
  const live = useLive(mode)
  const [isOpen, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  useEffect(close, [pathname, close])
  return (
    <div className={classes['shell']} data-open={isOpen || undefined}>
      <GlobalKeys />
      <header className={classes['bar']}>
        <Burger opened={isOpen} onClick={toggle} size="sm" aria-label={texts.navigation.open} aria-expanded={isOpen} />
        <strong>{texts.product}</strong>
      </header>
      <nav className={classes['navigation']} aria-label={texts.navigation.label}><Navigation /></nav>
      <main className={classes['main']}>
        {live === 'offline' && <OfflineBanner />}
        <Outlet key={mode} />
      </main>
    </div>
  )
}
