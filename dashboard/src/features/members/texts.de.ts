import type { memberTexts, roleNames } from './texts.ts'

export const memberGerman = (): typeof memberTexts => ({
  title: 'Mitglieder',
  description: 'Wer dieses Konto nutzen darf. Ein Leser liest, ein Mitglied nutzt den ganzen Dienst, ein Inhaber entscheidet auch über Mitglieder ' +
    'und API-Schlüssel.',
  list: 'Mitglieder',
  forbidden: 'Diese Seite ist für Inhaber',
  forbiddenHint: 'Über Mitglieder entscheiden die Inhaber des Kontos. Einer von ihnen hilft weiter.',
  invite: 'Einladen',
  email: 'E-Mail-Adresse',
  role: 'Rolle',
  roleOf: (email) => `Rolle von ${email}`,
  roleChanged: (email, role) => `Die Rolle von ${email} ist jetzt ${role}.`,
  first: 'Adresse des Kontos',
  you: 'selbst',
  joined: 'Mitglied seit',
  invited: 'Eingeladen, bis',
  expired: 'Die Einladung ist abgelaufen',
  again: 'Neuer Link',
  againFor: (email) => `Neuer Link für ${email}`,
  link: {
    title: 'Einladung',
    text: (email) => `Mit diesem Link meldet sich ${email} bei diesem Konto an. Er gilt einmal und 7 Tage lang und wird nicht noch einmal gezeigt.`,
    label: 'Link',
    copy: 'Link kopieren',
    missing: 'Der Link wurde schon gezeigt. Ein neuer lässt sich anlegen.',
    done: 'Fertig',
  },
  remove: 'Entfernen',
  removing: {
    title: (email) => `${email} entfernen?`,
    text: 'Die Sitzungen dieser Person in diesem Konto enden sofort. API-Schlüssel, Webhooks, SMTP-Logins und geteilte Links gelten weiter.',
    done: (email) => `${email} ist entfernt.`,
  },
  switcher: {
    title: 'Anderes Konto zeigen',
    list: 'Konten',
    current: 'wird gezeigt',
  },
})

export const rolesGerman = (): typeof roleNames => ({ owner: 'Inhaber', member: 'Mitglied', viewer: 'Leser' })
