import { expect } from 'chai'
import { findCodes } from '../../../server/mime/extract/codes.ts'
import { scanHtml } from '../../../server/mime/extract/scan-html.ts'

const read = (body: string): string => findCodes('Your new account', body.startsWith('<') ? scanHtml(body).text : body).join(' ')

const passwords = `
  7cW?n4Rj d$6Y!kN3 Xw4#hTq9 mB5-tGz2 =Vn8cR5d hN6s+Qf3 z8^WmP4k Jd7&wKx2 tHq5*Bn9 Tr4_Kv9s Gm6@xLp3 Yf2%kQw9Zt Rc(4dNs)6H Bw9nXk5! !Nk3vTq8 Pz6~hWd4 Fj8|rMc2 V5>kt8Ws
  Spring2031! WelcomeBack2031! [Hd5qNz7 N4$w.kT9`.trim().split(/\s+/)

/** The star is the password. */
const labels = [
  'Your username is jane and temporary password is *. ', 'User: jane\nTemporary password: *\n\nPlease sign in.', 'Password:*', 'Password = *', '- Password: *\n- Server: s4',
  'Your password is “*”.', 'Your password is "*".', '(temporary password: *)', 'Password: `*`', 'Password (temporary): *', 'Password for Acme: *', 'Password for logging in:\n\n*\n',
  'Sign in with the user name jane and the password * today.', 'Passwort: *', 'Ihr Passwort lautet *.', 'Ihr vorläufiges Kennwort:\n\n*\n', 'Einmalpasswort: *', 'Ihr Passwort für das Portal: *',
  'Votre mot de passe provisoire est : *', 'Mot de passe : *', 'Su contraseña es *', 'Tu contraseña temporal: *', 'Senha provisória: *', 'A sua palavra-passe é *.', 'La tua password è *.',
  'Password provvisoria: *', 'Tijdelijk wachtwoord: *', 'Hasło tymczasowe: *', 'Dočasné heslo: *', 'Tillfälligt lösenord: *', 'Midlertidig adgangskode: *', 'Väliaikainen salasana: *',
  'Şifreniz: *', 'Ideiglenes jelszó: *', 'Parola temporară: *', 'Временный пароль: *', 'Ваш пароль для входа: *', 'パスワード：*', 'パスワードは*です。', '密码：*，请登录', '临时密码为*。',
  '비밀번호: *', 'كلمة المرور: *', 'סיסמה: *', 'Mật khẩu: *',
]

const pages = [
  '<p>Your temporary password is <b>*</b></p>', '<table><tr><td>Temporary password</td><td>*</td></tr></table>', '<p>Temporary password</p><p>*</p>',
  'Your username is jane and temporary password is *. ',
]

describe('Passwords with symbols', () => {
  for (const password of passwords) {
    it(`are read as a whole: ${password}`, () => {
      for (const text of labels) expect(read(text.replace('*', () => password)), text).to.equal(password)
      const escaped = password.replaceAll('&', '&amp;').replaceAll('>', '&gt;')
      for (const page of pages) expect(read(page.replace('*', () => page.startsWith('<') ? escaped : password)), page).to.equal(password)
    })
  }

  it('are not cut without a label', () => {
    for (const text of ['Your code is 7cW?n4Rj', 'Your password has been reset to V5>kt8Ws', 'Your code is hN6s+Qf3.', 'Access code: Pz6~hWd4']) expect(read(text), text).to.equal('')
  })

  it('are no rules, addresses or other words beside a password', () => {
    const others = [
      'Password (a-z, A-Z, 0-9, !?#): please choose one', 'Password: (8+chars)', 'Password: https://acme.example/reset?t=Ab1', 'Password: jane1@acme.example', 'Password: www.acme.example/a?b=1',
      'Forgot your password? v2.0+beta1', 'Please change your password.\n\nabc12+x\n', 'Reset password: Ab12!cde', 'We never send passwords. C++2031', 'Order AB12!x',
      'Passwort vergessen: Ab12!cde', 'Your password was changed on Chrome/120+x', 'Your password expires in 5d+4h.', 'Password hash: $2b$10$abcdefgh',
    ]
    for (const text of others) expect(read(text), text).to.equal('')
  })

  it('leave a code in capitals without the exclamation mark of its sentence', () => {
    expect(read('Your one-time password is W6TR2M!')).to.equal('W6TR2M')
    expect(read('Your one-time password is 604815!')).to.equal('604815')
  })
})
