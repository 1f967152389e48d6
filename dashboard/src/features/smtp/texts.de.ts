import type { smtpTexts } from './texts.ts'

export const smtpGerman = (): typeof smtpTexts => ({
  title: 'SMTP-Login',
  label: 'Aktionen',
  close: 'SMTP-Login schließen',
  hint: 'Eine App mit diesem Login kann an alle senden: Alles kommt in dieser Adresse an, nichts verlässt den Server.',
  none: 'Diese Adresse hat kein SMTP-Login.',
  notReceiving: 'Diese Adresse empfängt keine Mails mehr, also auch kein Login.',
  create: 'SMTP-Login anlegen',
  replace: 'SMTP-Login ersetzen',
  end: 'SMTP-Login beenden',
  once: 'Das Passwort jetzt kopieren: Es wird nicht noch einmal angezeigt.',
  missing: 'Die Antwort mit dem Passwort ging verloren. Wird das Login ersetzt, gibt es ein neues.',
  hidden: 'Nur beim Anlegen angezeigt',
  facts: {
    username: 'Benutzername', host: 'Host', port: 'Port', security: 'Verschlüsselung', password: 'Passwort', lastLogin: 'Letztes Login', url: 'URL',
    never: 'Nie',
  },
  copy: {
    username: 'Benutzernamen kopieren', password: 'Passwort kopieren', host: 'Host kopieren', port: 'Port kopieren', url: 'URL kopieren',
  },
  security: { none: 'Keine', starttls: 'STARTTLS', tls: 'TLS vom ersten Byte an' },
  settings: {
    title: 'Einstellungen der App',
    framework: 'Framework',
    file: (name) => `Für ${name}:`,
    copy: 'Einstellungen kopieren',
    placeholder: 'PASSWORT',
    placeholderHint: 'PASSWORT steht für das Passwort.',
  },
  replacing: {
    title: 'Dieses SMTP-Login ersetzen?',
    text: 'Das alte Passwort endet mit dem nächsten Befehl. Apps, die es haben, brauchen das neue.',
  },
  ending: {
    title: 'Dieses SMTP-Login beenden?',
    text: 'Apps mit seinem Passwort können keine Mails mehr senden. Die Mails der Adresse bleiben.',
    done: 'Das SMTP-Login ist beendet.',
  },
  done: 'Fertig',
})
