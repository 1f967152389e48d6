import type { accountTexts } from './texts.ts'

export const accountGerman = (): typeof accountTexts => ({
  title: 'Konto',
  email: 'E-Mail-Adresse',
  plan: 'Tarif',
  since: 'Angelegt',
  lifetime: 'Adressen leben höchstens',
  retention: 'Mails bleiben',
  domain: 'Adressen enden auf',
  smtp: 'Mails kommen an bei',
  api: 'API-Schlüssel und Webhooks',
  hasApi: { true: 'Enthalten', false: 'Nicht enthalten: Sie gehören zum Tarif Business' },
  planHint: 'Den Tarif ändert, wer diesen Server verwaltet.',
  admin: 'Verwaltet diesen Server',
  language: { label: 'Sprache', browser: 'Wie im Browser' },
  sessions: {
    title: 'Sitzungen',
    text: 'Die Browser, die in diesem Konto angemeldet sind. Eine Sitzung endet 30 Tage nach der letzten Nutzung.',
    current: 'Dieser Browser',
    lastUsed: 'Zuletzt genutzt',
    began: 'Angemeldet',
    end: 'Sitzung beenden',
    ended: 'Die Sitzung ist beendet',
    signOut: 'Abmelden',
  },
  everywhere: {
    button: 'Überall abmelden',
    title: 'Überall abmelden?',
    text: 'Alle Sitzungen dieses Kontos enden, auch diese. API-Schlüssel gelten weiter.',
  },
  deletion: {
    title: 'Konto löschen',
    text: 'Wer diesen Server betreibt, löscht ein Konto mit allem, was ihm gehört, auf der Kommandozeile:',
    copy: 'Befehl kopieren',
  },
  unknownBrowser: 'Unbekannter Browser',
  browserOn: (browser, system) => `${browser} unter ${system}`,
})
