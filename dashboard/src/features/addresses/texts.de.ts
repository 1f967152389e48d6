import type { Format } from '../../language.ts'
import type { addressTexts } from './texts.ts'

export const addressGerman = ({ number, plural }: Format): typeof addressTexts => {
  const mails = (count: number) => plural(count, { one: '1 Mail', other: `${number(count)} Mails` })
  return {
    title: 'Adressen',
    newAddress: 'Neue Adresse',
    newHint: 'Legt eine zufällige Adresse an und kopiert sie (n)',
    withOptions: 'Adresse mit Optionen',
    find: 'Adressen filtern',
    filter: 'Filtern',
    state: 'Zustand',
    states: { all: 'Alle', active: 'Aktiv', expired: 'Abgelaufen' },
    all: 'Alle Adressen',
    list: 'Adressen',
    searches: 'Gemerkte Suchen',
    removeSearch: (name) => `Suche ${name} entfernen`,
    expired: 'Abgelaufen',
    notReceiving: 'Empfängt nichts: Die Domain ist nicht bestätigt',
    timeLeft: 'Restzeit',
    unread: (count) => `${number(count)} ungelesen`,
    mails,
    mailsAndUnread: (count, unread) => `${mails(count)}${unread > 0 ? `, ${number(unread)} ungelesen` : ''}`,
    created: (address, isCopied) => isCopied ? `${address} ist kopiert.` : `${address} ist angelegt.`,
    copy: 'Adresse kopieren',
    smtp: 'SMTP',
    smtpHint: 'Ein Login, mit dem eine App Mails an diese Adresse sendet',
    empty: { title: 'Noch keine Adresse', hint: 'Eine Adresse empfängt Mails, bis sie abläuft.' },
    noneFound: 'Keine Adresse passt.',
    missing: { title: 'Diese Adresse gibt es nicht', hint: 'Sie wurde gelöscht oder gehört zur anderen Art von Daten.', action: 'Alle Adressen anzeigen' },
    pin: (address) => `${address} anheften`,
    unpin: (address) => `${address} lösen`,
    editNote: (address) => `Notiz zu ${address}`,
    note: { title: 'Notiz zu einer Adresse', label: 'Notiz', hint: 'Wofür die Adresse da ist. Bleibt in diesem Browser.', save: 'Speichern' },
    delete: {
      label: 'Adresse löschen',
      title: 'Diese Adresse löschen?',
      confirm: 'Adresse löschen',
      hint: (address) => `${address} und alle ihre Mails werden sofort gelöscht. Das lässt sich nicht rückgängig machen.`,
      done: (address) => `${address} ist gelöscht.`,
    },
  }
}
