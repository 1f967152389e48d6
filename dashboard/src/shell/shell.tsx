import { useDisclosure } from '@mantine/hooks'
import { IconMenu2, IconX } from '../ui/icons.tsx'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { setMode, useMode } from '../api/mode.ts'
import { followOtherTabs } from '../api/other-tabs.ts'
import { GlobalKeys } from '../features/keyboard/global-keys.tsx'
import { texts } from '../texts.ts'
import { Arrivals } from './arrivals.tsx'
import { Navigation } from './navigation.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import classes from './shell.module.css'
import { useLive } from './use-live.ts'
import { useWindowSigns } from './window-signs.ts'

/** The frame of all pages: navigation at the side, on a phone behind a button, and a note while the server does not answer. */
export function Shell() {
  const mode = useMode()
  const live = useLive(mode)
  useWindowSigns()
  const [isOpen, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  useEffect(close, [pathname, close])
  useEffect(followOtherTabs, [])
  return (
    <div className={classes['shell']} data-open={isOpen || undefined}>
      <a className={classes['skip']} href="#main" onClick={(event) => { event.preventDefault(); focusContent(main.current) }}>
        {texts.navigation.skip}
      </a>
      <GlobalKeys />
      <Arrivals />
      <header className={classes['bar']}>
        <button type="button" className={classes['menu']} onClick={toggle} aria-label={texts.navigation.open} aria-expanded={isOpen}>
          {isOpen ? <IconX size={22} aria-hidden /> : <IconMenu2 size={22} aria-hidden />}
        </button>
        <strong>{texts.product}</strong>
      </header>
      <nav className={classes['navigation']} aria-label={texts.navigation.label}><Navigation /></nav>
      <main className={classes['main']} id="main" ref={main} tabIndex={-1}>
        {mode === 'test' && <TestBar />}
        {live === 'offline' && <OfflineBanner />}
        <Outlet key={mode} />
      </main>
    </div>
  )
}

/** The mail that the keys act on, or else the whole content of the page. */
const focusContent = (main: HTMLElement | null) => (main?.querySelector<HTMLElement>('[data-mail][tabindex="0"]') ?? main)?.focus()

const TestBar = () => (
  <div className={classes['test']} role="note">
    {texts.mode.bar} <button type="button" onClick={() => setMode('live')}>{texts.mode.leave}</button>
  </div>
)
