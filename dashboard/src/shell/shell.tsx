import { AppShell, Burger, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useMode } from '../api/mode.ts'
import { texts } from '../texts.ts'
import { Navigation } from './navigation.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { useLive } from './use-live.ts'

/** The frame of all pages: navigation at the side, on a phone behind a button, and a note while the server does not answer. */
export function Shell() {
  const mode = useMode()
  const live = useLive(mode)
  const [isOpen, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  useEffect(close, [pathname, close])
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 48, sm: 0 } }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
    >
      <AppShell.Header hiddenFrom="sm" px="md">
        <Group h="100%" gap="sm">
          <Burger opened={isOpen} onClick={toggle} size="sm" aria-label={texts.navigation.open} aria-expanded={isOpen} />
          <Text fw={700}>{texts.product}</Text>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label={texts.navigation.label}>
        <Navigation close={close} />
      </AppShell.Navbar>
      <AppShell.Main>
        {live === 'offline' && <OfflineBanner />}
        <Outlet key={mode} />
      </AppShell.Main>
    </AppShell>
  )
}
