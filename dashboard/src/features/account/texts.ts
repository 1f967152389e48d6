import { translated } from '../../language.ts'

export const accountTexts = translated('accountTexts', {
  title: 'Account',
  email: 'Email address',
  plan: 'Plan',
  since: 'Created',
  lifetime: 'Addresses live for at most',
  retention: 'Mail is kept for',
  domain: 'Addresses end in',
  smtp: 'Mail is received at',
  api: 'API keys and webhooks',
  hasApi: { true: 'Included', false: 'Not included: they need the Business plan' },
  planHint: 'An administrator of this server can change the plan.',
  admin: 'Administrator of this server',
  language: { label: 'Language', browser: 'As in the browser' },
  sessions: {
    title: 'Sessions',
    text: 'The browsers that are signed in to this account. A session ends 30 days after its last use.',
    current: 'This browser',
    lastUsed: 'Last used',
    began: 'Signed in',
    end: 'End session',
    ended: 'The session has ended',
    signOut: 'Sign out',
  },
  everywhere: {
    button: 'Sign out everywhere',
    title: 'Sign out everywhere?',
    text: 'All sessions of this account end, this one too. API keys keep working.',
  },
  deletion: {
    title: 'Delete the account',
    text: 'An operator of this server deletes an account, with all that it owns, on the command line:',
    copy: 'Copy the command',
  },
  unknownBrowser: 'Unknown browser',
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,
})
