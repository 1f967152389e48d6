import {
  IconChartBar, IconHistory, IconInbox, IconKey, IconSend, IconShare3, IconUser, IconUsers, IconUsersGroup, IconWebhook, IconWorld,
} from '../ui/icons.tsx'
import { texts } from '../texts.ts'

const { navigation } = texts

/** The pages of every account. */
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

/** That of owners. */
const membersPage = { to: '/members', label: navigation.members, Icon: IconUsersGroup } as const

/** That of administrators. */
const adminPage = { to: '/admin', label: navigation.admin, Icon: IconUsers } as const

export type PageEntry = typeof pages[number] | typeof membersPage | typeof adminPage

/** The pages of a person in an account, in the order of the navigation. */
export const pagesOf = ({ isAdmin, role }: { isAdmin: boolean, role: string }): readonly PageEntry[] => [
  ...role === 'viewer' ? pages.filter(({ to }) => to !== '/send') : pages,
  ...role === 'owner' ? [membersPage] : [],
  ...isAdmin ? [adminPage] : [],
]
