import { translated } from '../../language.ts'

export const analyticsTexts = translated('analyticsTexts', {
  title: 'Analytics',
  description: 'Addresses and mail of this account. Days and months are those of UTC.',
  counters: {
    activeAddresses: 'Active addresses',
    totalAddresses: 'Addresses, also expired',
    thisMonthReceived: 'Received this month',
    thisMonthSent: 'Sent this month',
    totalEmailsReceived: 'Received in all',
    totalEmailsSent: 'Sent in all',
  },
  days: 'The last 30 days',
  chart: 'Chart',
  table: 'Table',
  view: 'View',
  day: 'Day',
  received: 'Received',
  sent: 'Sent',
  summary: (received: string, sent: string) => `Mail of the last 30 days: ${received} received, ${sent} sent. The table has each day.`,
  empty: 'No mail in the last 30 days',
  emptyHint: 'Make an address on the page Mail and send something to it.',
})
