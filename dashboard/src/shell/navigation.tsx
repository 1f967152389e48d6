import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconApi, IconBell, IconBellRinging, IconCommand, IconFlask, IconMoon, IconSun, IconSwitchHorizontal } from '../ui/icons.tsx'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAccount } from '../api/account.ts'
import { basePath } from '../api/base.ts'
import { setMode, useMode } from '../api/mode.ts'
import { openPalette } from '../features/keyboard/palette-state.ts'
import { texts } from '../texts.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useRovingFocus } from '../ui/use-roving-focus.ts'
import classes from './navigation.module.css'
import { hasNotifications, toggleNotifying, useNotifying } from './notify.ts'
import { pagesOf } from './pages.ts'
import type { PageEntry } from './pages.ts'
import { useUnread } from './unread.ts'

const { navigation } = texts

const AccountSwitcher = lazyPart(async () => (await import('../features/members/account-switcher.tsx')).AccountSwitcher)

/** The links to the pages, and switches that concern all of them. One stop for the Tab key, in which the arrow keys move. */
export function Navigation() {
  const account = useAccount()
  const unread = useUnread()
  const group = useRovingFocus('[data-item]')
  return (
    <div className={classes['items']} {...group}>
      <strong className={classes['product']} aria-hidden>{texts.product}</strong>
      {pagesOf(account).map((page) => (
        <PageLink key={page.to} {...page} unread={page.to === '/mail' ? unread : 0} />
      ))}
      <a className={classes['item']} href={`${basePath}/docs`} data-item><Label Icon={IconApi}>{navigation.reference}</Label></a>
      <div className={classes['space']} />
      <button type="button" className={classes['item']} onClick={openPalette} data-item><Label Icon={IconCommand}>{navigation.search}</Label></button>
      {hasNotifications && <NotifyButton />}
      <ModeSwitch />
      <SchemeButton />
      {account.hasOthers
        ? <SwitchButton email={account.email} />
        : <span className={classes['email']} title={account.email}>{account.email}</span>}
    </div>
  )
}

/** Beside the icon where there is room, else a tooltip. */
const Label = ({ Icon, children }: { Icon: typeof IconApi, children: ReactNode }) => (
  <>
    <Icon size={18} stroke={1.6} aria-hidden />
    <span className={classes['label']}>{children}</span>
  </>
)

function PageLink({ to, label, Icon, unread }: PageEntry & { unread: number }) {
  const { pathname } = useLocation()
  const isActive = pathname === to || pathname.startsWith(`${to}/`)
  return (
    <Link
      className={classes['item']} to={to} data-item aria-current={isActive ? 'page' : undefined}
      aria-description={unread > 0 ? navigation.unread(unread) : undefined}
    >
      <Label Icon={Icon}>{label}</Label>
      {unread > 0 && <span className={classes['badge']} aria-hidden>{unread > 99 ? '99+' : unread}</span>}
    </Link>
  )
}

function SwitchButton({ email }: { email: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={classes['item']} data-item aria-haspopup="dialog" title={email} onClick={() => setOpen(true)}>
        <Label Icon={IconSwitchHorizontal}>{navigation.switchAccount(email)}</Label>
      </button>
      {isOpen && <AccountSwitcher onClose={() => setOpen(false)} />}
    </>
  )
}

function ModeSwitch() {
  const isTest = useMode() === 'test'
  return (
    <button
      type="button" className={classes['item']} role="switch" aria-checked={isTest} title={texts.mode.hint} data-item
      onClick={() => setMode(isTest ? 'live' : 'test')}
    >
      <Label Icon={IconFlask}>{texts.mode.label}</Label>
    </button>
  )
}

function NotifyButton() {
  const isOn = useNotifying()
  return (
    <button type="button" className={classes['item']} data-item onClick={() => void toggleNotifying()}>
      <Label Icon={isOn ? IconBellRinging : IconBell}>{isOn ? texts.notify.off : texts.notify.on}</Label>
    </button>
  )
}

function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  return (
    <button type="button" className={classes['item']} data-item onClick={() => setColorScheme(isDark ? 'light' : 'dark')}>
      <Label Icon={isDark ? IconSun : IconMoon}>{isDark ? texts.scheme.toLight : texts.scheme.toDark}</Label>
    </button>
  )
}
