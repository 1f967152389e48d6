import type { analyticsTexts } from './texts.ts'

export const analyticsGerman = (): typeof analyticsTexts => ({
  title: 'Statistik',
  description: 'Adressen und Mails dieses Kontos. Tage und Monate nach UTC.',
  counters: {
    activeAddresses: 'Aktive Adressen',
    totalAddresses: 'Adressen, auch abgelaufene',
    thisMonthReceived: 'Diesen Monat empfangen',
    thisMonthSent: 'Diesen Monat gesendet',
    totalEmailsReceived: 'Insgesamt empfangen',
    totalEmailsSent: 'Insgesamt gesendet',
  },
  days: 'Die letzten 30 Tage',
  chart: 'Diagramm',
  table: 'Tabelle',
  view: 'Ansicht',
  day: 'Tag',
  received: 'Empfangen',
  sent: 'Gesendet',
  summary: (received, sent) => `Mails der letzten 30 Tage: ${received} empfangen, ${sent} gesendet. Die Tabelle zeigt jeden Tag.`,
  empty: 'Keine Mails in den letzten 30 Tagen',
  emptyHint: 'Auf der Seite Mail eine Adresse anlegen und etwas dorthin senden.',
})
