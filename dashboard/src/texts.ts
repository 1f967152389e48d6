import { number, translated } from './language.ts'

/** The texts of the pages that several of them use. Texts of one page stand in `features/<noun>/texts.ts`. */
export const texts = translated('texts', {
  product: 'Mayfly',
  loading: 'Loading',
  now: 'now',
  retry: 'Try again',
  undo: 'Undo',
  cancel: 'Cancel',
  close: 'Close',
  copied: 'Copied',
  more: 'Show more',
  reload: 'Reload',
  navigation: {
    label: 'Pages',
    open: 'Open the menu',
    mail: 'Mail',
    send: 'Send',
    domains: 'Domains',
    forwarding: 'Forwarding',
    webhooks: 'Webhooks',
    keys: 'API keys',
    analytics: 'Analytics',
    audit: 'Audit log',
    account: 'Account',
    members: 'Members',
    switchAccount: (email: string) => `Account ${email}: show another`,
    admin: 'Administration',
    reference: 'API reference',
    skip: 'Skip to the content',
    unread: (count: number) => `${number(count)} unread`,
    search: 'Commands (Ctrl K)',
  },
  mode: { label: 'Test data', hint: 'Shows the addresses and mail of test keys', bar: 'Test data: made by test keys.', leave: 'Leave' },
  notify: {
    on: 'Notify of new mail',
    off: 'Stop notifications',
    refused: 'The browser does not allow notifications of this page. Change it in its settings of the site.',
    arrived: (from: string, subject: string) => `Mail from ${from}: ${subject}`,
    noSubject: '(no subject)',
  },
  scheme: { toDark: 'Use dark colours', toLight: 'Use light colours' },
  offline: {
    banner: 'No connection to the server. New mail appears as soon as it is back.',
    error: 'The server does not answer. Check that it runs, then try again.',
  },
  errors: {
    title: 'This could not be loaded',
    outdated: 'Mayfly was updated. Reload the page.',
    part: 'A part of this page did not load.',
    fault: (message: string) => `This page has a fault: ${message}. Reload it.`,
  },
  notFound: { title: 'There is no such page', action: 'Go to Mail' },
})

export const modeNames = translated<Record<string, string>>('modeNames', { live: 'Live', test: 'Test' })

/** The name of a mode. A later server may have more modes. */
export const modeName = (mode: string): string => modeNames[mode] ?? mode
