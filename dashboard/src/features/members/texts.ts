import { byName, translated } from '../../language.ts'

export const memberTexts = translated('memberTexts', {
  title: 'Members',
  description: 'The people who may use this account. A viewer reads, a member uses all of the service, an owner also decides on members and API keys.',
  list: 'Members',
  forbidden: 'This page is for owners',
  forbiddenHint: 'Owners of the account decide on its members. Ask one of them.',
  invite: 'Invite',
  email: 'Email address',
  role: 'Role',
  roleOf: (email: string) => `Role of ${email}`,
  roleChanged: (email: string, role: string) => `The role of ${email} is now ${role}.`,
  first: 'Address of the account',
  you: 'you',
  joined: 'Member since',
  invited: 'Invited, until',
  expired: 'The invitation has expired',
  again: 'New link',
  againFor: (email: string) => `New link for ${email}`,
  link: {
    title: 'Invitation',
    text: (email: string) => `With this link ${email} signs in to this account. It works once and for 7 days, and is not shown again.`,
    label: 'Link',
    copy: 'Copy the link',
    missing: 'The link was shown already. Make a new one.',
    done: 'Done',
  },
  remove: 'Remove',
  removing: {
    title: (email: string) => `Remove ${email}?`,
    text: 'The sessions of this person in the account end at once. API keys, webhooks, SMTP logins and share links keep working.',
    done: (email: string) => `${email} is removed.`,
  },
  switcher: {
    title: 'Show another account',
    list: 'Accounts',
    current: 'shown now',
  },
})

export const roleNames = translated('roleNames', { owner: 'Owner', member: 'Member', viewer: 'Viewer' })

/** The name of a role. A later server may have more roles. */
export const roleName = (role: string): string => byName(roleNames)[role] ?? role
