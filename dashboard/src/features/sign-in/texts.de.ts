import type { signInTexts } from './texts.ts'

export const signInGerman = (): typeof signInTexts => ({
  title: 'Bei Mayfly anmelden',
  confirm: 'Der Link gilt einmal.',
  signIn: 'Anmelden',
  notKept: 'Der Browser hat die Sitzung nicht behalten. Erlaubt er Cookies dieser Website? Beginnt die MAYFLY_BASE_URL des Servers mit https, ' +
    'geht es nur dort: Über http wird das Cookie abgelehnt.',
  another: 'Anderen Link anfordern',
  replaces: (email) => `Angemeldet ist ${email}. Der Link kann zu einem anderen Konto gehören: Die Anmeldung ersetzt diese Sitzung.`,
  goOn: (email) => `Weiter als ${email}`,
  request: 'Die Anmeldung geht über einen Link in einer Mail. Es gibt kein Passwort.',
  email: 'E-Mail-Adresse',
  send: 'Link senden',
  byProvider: (host) => `Anmelden mit ${host}`,
  sent: (email) => `Falls ${email} ein Konto hat, ist eine Mail mit einem Link unterwegs. Der Link gilt einmal und 15 Minuten lang.`,
  commandLine: 'Keine Mail kommt von einem Server, der Mails zurückhält (MAYFLY_OUTBOUND=capture, die Vorgabe), und keine an Adressen des Servers ' +
    'selbst. Auf dem Server gibt der Befehl „mayfly account sign-in EMAIL“ einen Link aus.',
})
