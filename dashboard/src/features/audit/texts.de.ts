import type { Format } from '../../language.ts'
import type { auditTexts } from './texts.ts'

export const auditGerman = ({ number }: Format): typeof auditTexts => ({
  title: 'Protokoll',
  description: 'Jeder Aufruf der API mit einem Schlüssel oder einer Sitzung dieses Kontos, auch die abgelehnten. Der neueste steht oben.',
  filter: 'Filtern',
  filterHint: 'Aktion wie emails.send oder eine ID',
  results: 'Ergebnis',
  anyResult: 'Alle Ergebnisse',
  result: { succeeded: 'Erfolgreich', refused: 'Abgelehnt (4xx)', failed: 'Serverfehler (5xx)' },
  callers: 'Aufrufer',
  anyCaller: 'Alle Aufrufer',
  time: 'Zeit',
  times: { any: 'Jederzeit', hour: 'Letzte Stunde', day: 'Letzte 24 Stunden', week: 'Letzte 7 Tage' },
  reads: 'Lesezugriffe zeigen',
  columns: { action: 'Aktion', status: 'Status', caller: 'Aufrufer', resource: 'Objekt', ip: 'IP-Adresse', time: 'Zeit' },
  session: 'Sitzung',
  deletedKey: 'Widerrufener Schlüssel',
  withoutKey: 'Geteilter Link oder SMTP-Login',
  server: 'Server',
  timesOf: (count) => `× ${number(count)}`,
  timesHint: (count) => `${number(count)} Aufrufe mit gleichem Schlüssel, gleicher Operation und gleichem Status sind zusammengezählt`,
  empty: { title: 'Noch keine Änderung', text: 'Änderungen erscheinen hier, sobald ein Schlüssel oder diese Seite eine macht. Lesezugriffe sind ausgeblendet.' },
  noMatch: { title: 'Kein Aufruf passt', text: 'Den Filter ändern oder Lesezugriffe zeigen.' },
})
