import type { Format } from './language.ts'
import type { modeNames, texts } from './texts.ts'

export const pagesGerman = ({ number }: Format): typeof texts => ({
  product: 'Mayfly',
  loading: 'Wird geladen',
  now: 'jetzt',
  retry: 'Noch einmal versuchen',
  undo: 'Rückgängig',
  cancel: 'Abbrechen',
  close: 'Schließen',
  copied: 'Kopiert',
  more: 'Mehr anzeigen',
  reload: 'Neu laden',
  navigation: {
    label: 'Seiten',
    open: 'Menü öffnen',
    mail: 'Mail',
    send: 'Senden',
    domains: 'Domains',
    forwarding: 'Weiterleitung',
    webhooks: 'Webhooks',
    keys: 'API-Schlüssel',
    analytics: 'Statistik',
    audit: 'Protokoll',
    account: 'Konto',
    members: 'Mitglieder',
    switchAccount: (email) => `Konto ${email}: ein anderes zeigen`,
    admin: 'Verwaltung',
    reference: 'API-Referenz',
    skip: 'Zum Inhalt',
    unread: (count) => `${number(count)} ungelesen`,
    search: 'Befehle (Strg K)',
  },
  mode: { label: 'Testdaten', hint: 'Zeigt Adressen und Mails der Testschlüssel', bar: 'Testdaten: von Testschlüsseln angelegt.', leave: 'Verlassen' },
  notify: {
    on: 'Neue Mails melden',
    off: 'Meldungen ausschalten',
    refused: 'Der Browser erlaubt dieser Seite keine Meldungen. Das lässt sich in seinen Website-Einstellungen ändern.',
    arrived: (from, subject) => `Mail von ${from}: ${subject}`,
    noSubject: '(kein Betreff)',
  },
  scheme: { toDark: 'Dunkle Farben', toLight: 'Helle Farben' },
  offline: {
    banner: 'Keine Verbindung zum Server. Neue Mails erscheinen, sobald sie wieder da ist.',
    error: 'Der Server antwortet nicht. Läuft er? Danach noch einmal versuchen.',
  },
  errors: {
    title: 'Das konnte nicht geladen werden',
    outdated: 'Mayfly wurde aktualisiert. Bitte die Seite neu laden.',
    part: 'Ein Teil dieser Seite wurde nicht geladen.',
    fault: (message) => `Diese Seite hat einen Fehler: ${message}. Bitte neu laden.`,
  },
  notFound: { title: 'Diese Seite gibt es nicht', action: 'Zu Mail' },
})

export const modesGerman = (): typeof modeNames => ({ live: 'Live', test: 'Test' })
