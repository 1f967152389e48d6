import { translated } from '../../language.ts'

export const sharingTexts = translated('sharingTexts', {
  title: 'Share inbox',
  hint: (address: string) =>
    `Makes a link by which anyone reads the mail of ${address}, without signing in. Nothing can be changed by it, and nothing else is shown.`,
  lifetime: 'The link works for',
  lifetimes: { 1: '1 hour', 24: '1 day', 168: '7 days' },
  lifetimeHint: 'At most as long as the address.',
  create: 'Make a link',
  once: 'The link is shown only once. Copy it now.',
  link: 'Link',
  copy: 'Copy the link',
  qr: 'QR code of the link',
  links: 'Active links',
  none: 'No active link',
  created: 'Made',
  ends: 'ends',
  end: 'End',
  ended: 'The link has ended.',
  addressQr: { title: 'QR code', label: (address: string) => `QR code of ${address}` },
  shared: {
    title: 'Shared inbox',
    ends: 'The link ends',
    list: 'Mails',
    empty: { title: 'No mail yet', hint: 'New mail appears here.' },
    choose: 'Choose a mail',
    older: 'Show older mails',
    back: 'Back to the list',
    copyCode: (code: string) => `Copy code ${code}`,
    ended: 'This link does not work',
  },
})
