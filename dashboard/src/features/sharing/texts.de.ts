import type { sharingTexts } from './texts.ts'

export const sharingGerman = (): typeof sharingTexts => ({
  title: 'Posteingang teilen',
  hint: (address) =>
    `Legt einen Link an, mit dem jeder die Mails von ${address} liest, ohne Anmeldung. Ändern lässt sich damit nichts, und sonst wird nichts gezeigt.`,
  lifetime: 'Der Link gilt',
  lifetimes: { 1: '1 Stunde', 24: '1 Tag', 168: '7 Tage' },
  lifetimeHint: 'Höchstens so lange wie die Adresse.',
  create: 'Link anlegen',
  once: 'Der Link wird nur einmal gezeigt. Jetzt kopieren.',
  link: 'Link',
  copy: 'Link kopieren',
  qr: 'QR-Code des Links',
  links: 'Gültige Links',
  none: 'Kein gültiger Link',
  created: 'Angelegt',
  ends: 'endet',
  end: 'Beenden',
  ended: 'Der Link ist beendet.',
  addressQr: { title: 'QR-Code', label: (address) => `QR-Code von ${address}` },
  shared: {
    title: 'Geteilter Posteingang',
    ends: 'Der Link endet',
    list: 'Mails',
    empty: { title: 'Noch keine Mail', hint: 'Neue Mails erscheinen hier.' },
    choose: 'Eine Mail auswählen',
    older: 'Ältere Mails zeigen',
    back: 'Zurück zur Liste',
    copyCode: (code) => `Code ${code} kopieren`,
    ended: 'Dieser Link gilt nicht',
  },
})
