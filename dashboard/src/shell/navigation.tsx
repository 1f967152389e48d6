import { ActionIcon, Box, Group, NavLink, Stack, Switch, Text, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import {
  IconApi, IconChartBar, IconHistory, IconInbox, IconKey, IconMoon, IconSend, IconShare3, IconSun, IconUser, IconUsers, IconWebhook,
  IconWorld,
} from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useAccount } from '../api/account.ts'
import { basePath } from '../api/base.ts'
import { setMode, useMode } from '../api/mode.ts'
import { texts } from '../texts.ts'

const { navigation } = texts

const pages = [
  { to: '/mail', label: navigation.mail, Icon: IconInbox },
  { to: '/send', label: navigation.send, Icon: IconSend },
  { to: '/domains', label: navigation.domains, Icon: IconWorld },
  { to: '/forwarding', label: navigation.forwarding, Icon: IconShare3 },
  { to: '/webhooks', label: navigation.webhooks, Icon: IconWebhook },
  { to: '/keys', label: navigation.keys, Icon: IconKey },
  { to: '/analytics', label: navigation.analytics, Icon: IconChartBar },
  { to: '/audit', label: navigation.audit, Icon: IconHistory },
  { to: '/account', label: navigation.account, Icon: IconUser },
] as const

const adminPage = { to: '/admin', label: navigation.admin, Icon: IconUsers } as const

export function Navigation() {
  const account = useAccount()
  const mode = useMode()
  return (
    <Stack h="100%" gap="xs">
      <Text fw={700} px="xs" py={4} visibleFrom="sm">{texts.product}</Text>
      <Box flex={1}>
        {[...pages, ...account.isAdmin ? [adminPage] : []].map((page) => <PageLink key={page.to} {...page} />)}
        <NavLink component="a" href={`${basePath}/docs`} label={navigation.reference} leftSection={<IconApi size={18} stroke={1.6} aria-hidden />} />
      </Box>
      <Box px="xs">
        <Group justify="space-between" wrap="nowrap">
          <Switch
            size="sm" label={texts.mode.label} title={texts.mode.hint} checked={mode === 'test'}
            onChange={({ currentTarget }) => setMode(currentTarget.checked ? 'test' : 'live')}
          />
          <SchemeButton />
        </Group>
        <Text size="xs" c="dimmed" mt="xs" truncate title={account.email}>{account.email}</Text>
      </Box>
    </Stack>
  )
}

function PageLink({ to, label, Icon }: { to: typeof pages[number]['to'] | '/admin', label: string, Icon: typeof IconInbox }) {
  const { pathname } = useLocation()
  const isActive = pathname === to || pathname.startsWith(`${to}/`)
  return (
    <NavLink
      component={Link} to={to} label={label} active={isActive} aria-current={isActive ? 'page' : undefined}
      leftSection={<Icon size={18} stroke={1.6} aria-hidden />} styles={{ root: { borderRadius: 'var(--mantine-radius-md)' } }}
    />
  )
}

function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const label = isDark ? texts.scheme.toLight : texts.scheme.toDark
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} onClick={() => setColorScheme(isDark ? 'light' : 'dark')}>
      {isDark ? <IconSun size={18} aria-hidden /> : <IconMoon size={18} aria-hidden />}
    </ActionIcon>
  )
}
