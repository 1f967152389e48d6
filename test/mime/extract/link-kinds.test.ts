import { expect } from 'chai'
import { findLinks } from './find-links.ts'

/** A link is `[label]`, a button `[[label]]`; the one to come first has a star behind it. The URLs say nothing. */
const pageOf = (text: string): { html: string, right: string } => {
  let count = 0
  let right = ''
  const urlOf = (star: string) => {
    const url = `https://t.example/c/${++count}`
    if (star) right = url
    return url
  }
  const html = text.replace(/\[\[(.*?)\]\](\*?)|\[(.*?)\](\*?)/g, (_, button: string | undefined, starOfButton: string, label: string, star: string) =>
    button === undefined ? `<a href="${urlOf(star)}">${label}</a>`
      : `<table><tr><td bgcolor="#0b57d0"><a href="${urlOf(starOfButton)}" style="padding:12px;display:inline-block">${button}</a></td></tr></table>`)
  return { html, right }
}

/** The same for the URLs of a text, as `URL` and `URL*`, with a path: `URL/help*`. */
const textOf = (source: string): { text: string, right: string } => {
  let count = 0
  let right = ''
  const text = source.replace(/URL(\/\S*?)?(\*)?(?=\s|$)/g, (_, path: string | undefined, star: string | undefined) => {
    const url = `https://acme.example${path ?? `/c/${++count}`}`
    if (star) right = url
    return url
  })
  return { text, right }
}

const acts = `
  Activez votre compte|Validez votre adresse|Connectez-vous|Je me connecte|Déverrouiller mon compte|Inicia sesión|Inicie sesión|Acceder|Ingresar|Active su cuenta
  Activa tu cuenta|Desbloquear cuenta|Únete al equipo|Regístrate|Ative sua conta|Acesse sua conta|Iniciar sessão|Repor palavra-passe|Attiva il tuo account|Confermi la sua email
  Melde dich an|Melden Sie sich an|Anmeldung|Anmeldung freigeben|Gerät autorisieren|Konto entsperren|Jetzt registrieren|Konto wiederherstellen|Aktivér konto|Aktivoi tili
  Activează contul|Erősítse meg|Weryfikuj adres|Odblokuj konto|Aktivirajte račun|Επαναφορά κωδικού|Восстановить доступ|Разблокировать|Meld je aan|Przywróć dostęp
  Set up your account|Create your account|Sign up|Register now|Access your account|Grant access|Trust this device|Reactivate account|Adressbestätigung
  Kontoaktivierung|Commencer|Loslegen|Начать|시작하기|加入团队|Dołącz|Belépés`.trim().split(/[|\n]\s*/)

const kinds: Record<string, string[]> = {
  'are no act because of a word within another': [
    ...['Deactivate these emails', 'Benachrichtigungen deaktivieren', 'Désactiver ces notifications', 'Desactivar notificaciones', 'Desativar notificações', 'Disattiva le notifiche',
      'Inaktivera aviseringar', 'Dezaktywuj powiadomienia', 'Деактивировать уведомления', 'Dezactivează notificările', 'Απενεργοποίηση', 'Meldingen deactiveren']
      .flatMap((label) => [`[[Message]]* [${label}]`, `[The story]* [${label}] [Our team]`]),
    ...['Local authorities', 'Confirmed speakers', 'Verification policy', 'Approved partners', 'Verified sellers', 'Activated carbon', 'Invalid entries', 'Interactive guide'].map((label) => `[[The report]]* [${label}]`),
    '[American piano] [View invoice]*', '[Atmosphere] [Open it]*', '[Startups this week] [Download]*',
    '[Anmelden] [[Konto wiederherstellen]]*', '[Wiener Kaffee] [Konto wiederherstellen]*', '[[Howdy, view it]]*[Our blog]',
  ],
  'are the act of a button with a footer word': [
    '[Acme] [[Kontaktdaten bestätigen]]*', '[Acme] [[Kontaktanfrage bestätigen]]*', '[Acme] [[AGB akzeptieren]]*', '[Acme] [[Datenschutzeinstellungen bestätigen]]*', '[Acme] [[Avsluta registreringen]]*',
    '[Acme] [[Read the new terms]]*', '[Acme] [[View mentions]]*', '[Acme] [[View support request]]*', '[Acme] [[Abmeldung bestätigen]]*', '[Acme] [[Download your privacy report]]*',
    '[Acme] [Kontaktdaten bestätigen]*', '[Acme] [View support ticket]*',
  ],
  'are beside an act of another case': [
    '[here]* to sign in. If you did not request this, [reset your password].', '<p>Click [here]* to sign in.</p><p>If you didn’t request this, [reset your password].</p>',
    '<p>Ready. [Log in]*</p><p>Forgot your password? [Reset it]</p>', '<p>[Anmelden]*</p><p>Passwort vergessen? [Passwort zurücksetzen]</p>',
    '<p>[[Download your data]]*</p><p>If you didn’t request this, [reset your password].</p>', '<p>[Download your data]*</p><p>Not you? [Reset your password]</p>',
    '[[Zum Kundenkonto]]* [Passwort zurücksetzen]', '[[Je me connecte]]* [Réinitialiser mon mot de passe]', '[[Comenzar]]* [Restablecer contraseña]', '[[Your space]]* [Reset password]',
    '[[Set up account]]* [Verify your phone]', '[[Sign document]]* [Verify this email is from us]', '[[Track package]]* [Confirm delivery instructions]', '[[Register now]]* [Confirm your timezone]',
    '[Home page] [Pay your bill]* [Log in to your account]', '[View your bill]* [Sign in]', '[Track your order]* [Sign in]', '[View invitation]* Learn how to [activate two-factor]',
    '[[Download the app]] [[Read message]]*', '<a href="https://acme.example/"><img alt="Acme"></a> [[Update your security settings]]*',
    ...['Don’t forget to [verify your email]*.', 'Bitte nicht vergessen: [E-Mail bestätigen]*', 'N’oubliez pas de [valider votre adresse]*.', 'No olvides [confirmar tu correo]*.',
      'Não se esqueça de [confirmar seu e-mail]*.', 'Non dimenticare di [confermare la tua email]*.', 'Nie zapomnij [potwierdzić adresu]*.', 'Lütfen unutmayın: [e-postanızı onaylayın]*']
      .map((row) => `[Acme news] ${row} [Log in]`),
  ],
  'of a meeting are the way to it': [
    '[Join the meeting now]* For organizers: [Meeting options] | [Reset dial-in PIN]', '[An Besprechung teilnehmen]* [Besprechungsoptionen] | [Einwahl-PIN zurücksetzen]',
  ],
  'are no choice of mails': [
    'Manage notifications', 'Manage your notifications', 'Update your preferences', 'Email settings', 'Turn off notifications', 'Stop these emails', 'Remove me from this list', 'Change email frequency',
    'No longer wish to receive these?', 'Mute these alerts', 'Preferences', 'Dejar de recibir', 'Sair da lista', 'Austragen', 'Gérer les notifications', 'Préférences', 'Gestionar notificaciones',
    'Preferencias', 'Gerenciar notificações', 'Gestisci le notifiche', 'Voorkeuren', 'Meldingen beheren', 'Zarządzaj powiadomieniami', 'Настроить уведомления', 'Benachrichtigungen verwalten', '配信設定', '알림 설정', '通知设置',
  ].map((label) => `[The story]* <a href="https://t.example/o?token=4f9c">${label}</a>`),
}

const texts: Record<string, string[]> = {
  'are no act because of a word within another': ['Bob wrote: URL*\n\nStop these mails: URL/deactivate', 'Bob wrote: URL*\n\nDésactiver ces notifications : URL'],
  'are that of a ticket in the support pages': ['Your ticket: URL/support/tickets/30981*\n\nAcme, URL/', 'Updated: URL/help/cases/30981*\n\nSupport: URL/support'],
  'are beside an act of another case': [
    'Log in here:\nURL*\n\nIf you forget your password you can reset it here:\nURL', 'Anmeldung unter: URL*\n\nPasswort vergessen? URL', 'Connexion : URL*\n\nMot de passe oublié ? URL',
    'Inicio: URL/en* \n\n¿Contraseña olvidada? URL',
  ],
  'are no choice of mails': [
    'New: URL*\n\nIf you no longer wish to receive these: URL/o?token=4f9c', 'New: URL*\n\nDon’t want these? URL/o?token=4f9c', 'Bob replied: URL*\n\nTo stop receiving these, log in and go to URL',
  ],
  'are not read from the sentence before': [
    'You can accept or decline this invitation. You can also head over to URL to see the project.\n\nView invitation: URL*',
    'You joined the team last week. Everyone meets on Monday at URL to plan.\n\nOpen the agenda: URL*',
    'Home: URL/\n\nConfirm your registration. Simply go to URL*', 'News: URL\n\nConfirm your registration. Click here: URL*', 'News: URL\n\nConfirm your registration. Use this link URL*',
  ],
  'are that of an act in a path': ['Blog: URL\n\nGo to URL/emailverify*', 'Blog: URL\n\nGo to URL/x?to=https%3A%2F%2Facme.example%2Fverify*'],
}

describe('First links of a mail', () => {
  for (const [kind, rows] of Object.entries(kinds)) {
    it(kind, () => {
      for (const row of rows) {
        const { html, right } = pageOf(row)
        expect(findLinks(html, '')[0]!.url, row).to.equal(right)
      }
    })
  }

  for (const [kind, rows] of Object.entries(texts)) {
    it(`${kind}, in a text`, () => {
      for (const row of rows) {
        const { text, right } = textOf(row)
        expect(findLinks('', text)[0]!.url, row).to.equal(right)
      }
    })
  }

  it('are acts in their imperatives', () => {
    for (const act of acts) {
      const { html, right } = pageOf(`[Acme news] [${act}]*`)
      expect(findLinks(html, '')[0]!.url, act).to.equal(right)
      const mail = textOf(`Acme: URL\n\n${act}: URL*`)
      expect(findLinks('', mail.text)[0]!.url, act).to.equal(mail.right)
    }
  })

  it('are signed for one mail, beside another of the same weight', () => {
    for (const url of ['https://acme.example/team-invitations/7?signature=ff01', 'https://acme.example/i/7?expires=1&signature=ff01']) {
      expect(findLinks(`<a href="https://acme.example/register">Create Account</a> <a href="${url}">Accept Invitation</a>`, '')[0]!.url).to.equal(url)
    }
    const about = '<a href="https://acme.example/a">Verify your email</a> <a href="https://acme.example/signature/new">Your signature</a> <a href="https://acme.example/u?signature=ff01">Unsubscribe</a>'
    expect(findLinks(about, '')[0]!.url).to.equal('https://acme.example/a')
  })

  it('are not those to the PIN of a telephone conference', () => {
    const html = '<a href="https://dialin.teams.microsoft.com/usp/conf">PIN zurücksetzen</a> <a href="https://teams.microsoft.com/l/m">Beitreten</a>'
    expect(findLinks(html, '')[0]!.url).to.equal('https://teams.microsoft.com/l/m')
  })
})
