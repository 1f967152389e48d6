import { expect } from 'chai'
import { findLinks } from './find-links.ts'

/** URLs that say nothing; the second one is that of the call to action. */
const urlOf = (id: number): string => `https://t.example/c?u=${id}`
const a = (id: number, text: string): string => `<a href="${urlOf(id)}">${text}</a>`

describe('Links in sentences', () => {
  for (const html of [
    `<p>Can't see the images? ${a(1, 'Click here')}</p><p>To activate your account ${a(2, 'click here')}.</p>`,
    `<p>To unsubscribe from these emails, click ${a(1, 'here')}.</p><p>To reset your password, click ${a(2, 'here')}.</p>`,
    `<p>Hello from ${a(1, 'Acme')}!</p><p>Follow ${a(2, 'this link')} to verify your address.</p>`,
    `<p>Wird diese E-Mail nicht richtig angezeigt? ${a(1, 'Hier klicken')}</p><p>Klicken Sie ${a(2, 'hier')}, um Ihr Konto zu aktivieren.</p>`,
    `<p>Bienvenue chez ${a(1, 'Acme')}. Pour confirmer votre adresse, ${a(2, 'cliquez ici')}.</p>`,
    `<p>Si cet e-mail ne s'affiche pas correctement, ${a(1, 'cliquez ici')}.</p><p>Pour réinitialiser votre mot de passe, cliquez ${a(2, 'ici')}.</p>`,
    `<p>Bienvenido a ${a(1, 'Acme')}.</p><p>Para activar su cuenta haga clic ${a(2, 'aquí')}.</p><p>Para darse de baja haga clic ${a(3, 'aquí')}.</p>`,
    `<p>Benvenuto su ${a(1, 'Acme')}.</p><p>Per confermare il tuo indirizzo clicca ${a(2, 'qui')}.</p>`,
    `<p>Bem-vindo à ${a(1, 'Acme')}.</p><p>Para confirmar o seu e-mail, clique ${a(2, 'aqui')}.</p>`,
    `<p>Welkom bij ${a(1, 'Acme')}.</p><p>Klik ${a(2, 'hier')} om je e-mailadres te bevestigen.</p>`,
    `<p>Witamy w ${a(1, 'Acme')}.</p><p>Aby potwierdzić adres, kliknij ${a(2, 'tutaj')}.</p>`,
    `<p>Välkommen till ${a(1, 'Acme')}.</p><p>Klicka ${a(2, 'här')} för att bekräfta din e-post.</p>`,
    `<p>Velkommen til ${a(1, 'Acme')}.</p><p>Klik ${a(2, 'her')} for at bekræfte din e-mail.</p>`,
    `<p>Vítejte v ${a(1, 'Acme')}.</p><p>Pro ověření účtu klikněte ${a(2, 'zde')}.</p>`,
    `<p>Добро пожаловать в ${a(1, 'Акме')}.</p><p>Чтобы подтвердить адрес, нажмите ${a(2, 'здесь')}.</p>`,
    `<p>Ласкаво просимо до ${a(1, 'Акме')}.</p><p>Щоб підтвердити адресу, натисніть ${a(2, 'тут')}.</p>`,
    `<p>${a(1, 'Acme')}'e hoş geldiniz.</p><p>E-postanızı doğrulamak için ${a(2, 'buraya tıklayın')}.</p>`,
    `<p>Üdvözöljük az ${a(1, 'Acme')} oldalán.</p><p>A megerősítéshez kattintson ${a(2, 'ide')}.</p>`,
    `<p>Bun venit la ${a(1, 'Acme')}.</p><p>Pentru a confirma adresa, faceți clic ${a(2, 'aici')}.</p>`,
    `<p>Καλώς ήρθατε στο ${a(1, 'Acme')}.</p><p>Για επιβεβαίωση κάντε κλικ ${a(2, 'εδώ')}.</p>`,
    `<p>${a(1, 'アクメ')}</p><p>メールアドレスを認証するには、${a(2, 'こちらをクリック')}してください。</p>`,
    `<p>欢迎来到${a(1, '阿克梅')}。</p><p>请点击${a(2, '此处')}验证您的邮箱。</p>`,
    `<p>${a(1, '아크메')}에 오신 것을 환영합니다.</p><p>이메일을 인증하려면 ${a(2, '여기')}를 클릭하세요.</p>`,
    `<p>مرحبا بك في ${a(1, 'أكمي')}.</p><p>لتأكيد بريدك اضغط ${a(2, 'هنا')}.</p>`,
    `<p>ברוכים הבאים ל${a(1, 'אקמי')}.</p><p>לאימות הכתובת לחצו ${a(2, 'כאן')}.</p>`,
    `<p>${a(1, 'Acme')} में आपका स्वागत है।</p><p>ईमेल सत्यापित करने के लिए ${a(2, 'यहाँ क्लिक करें')}।</p>`,
    `<p>ยินดีต้อนรับสู่ ${a(1, 'Acme')}</p><p>เพื่อยืนยันอีเมล ${a(2, 'คลิกที่นี่')}</p>`,
    `<p>Chào mừng đến với ${a(1, 'Acme')}.</p><p>Để xác nhận email, nhấp ${a(2, 'vào đây')}.</p>`,
    `<p>Selamat datang di ${a(1, 'Acme')}.</p><p>Untuk verifikasi email, klik ${a(2, 'di sini')}.</p>`,
    `<p>If you didn't create this account, click ${a(1, 'here')}.</p><p>Otherwise confirm it ${a(2, 'here')}.</p>`,
    `<p>Confirm your email: ${a(2, 'https://acme.example/x/9f2a')}</p><p>Not you? ${a(1, 'Click here')}</p>`,
    `<p>Wenn Sie das nicht angefordert haben, klicken Sie ${a(1, 'hier')}.</p><p>Neues Passwort festlegen: bitte ${a(2, 'hier klicken')}.</p>`,
    `<p>Read it on the web ${a(1, 'here')}.</p><p>Please sign in ${a(2, 'here')} to see your invoice.</p>`,
    `<p>${a(1, 'Acme')} ${a(3, 'Blog')}</p><p>You asked for a new password.</p><p>${a(2, 'Click here')}</p>`,
    `<p>Not rendering? View ${a(1, 'here')}.</p><p>Please click ${a(2, 'here')} to finish creating your account.</p>`,
    `<p>${a(1, 'Acme')}</p><p>You can set a new password ${a(2, 'here')}.</p>`,
    `<p>Visit ${a(1, 'our shop')}.</p><p>Please verify your email by clicking on the following link:</p><p>${a(2, 'https://acme.example/v/1')}</p>`,
    `<p>Danke, dass Sie ${a(1, 'Acme')} nutzen.</p><p>Ihr Passwort können Sie ${a(2, 'hier')} zurücksetzen.</p>`,
    `<p>Merci d'utiliser ${a(1, 'Acme')}.</p><p>Veuillez activer votre compte en cliquant sur ${a(2, 'ce lien')}.</p>`,
    `<p>Gracias por usar ${a(1, 'Acme')}.</p><p>Pulse ${a(2, 'este enlace')} para restablecer su contraseña.</p>`,
    `<p>Dziękujemy za korzystanie z ${a(1, 'Acme')}.</p><p>Kliknij ${a(2, 'ten link')}, aby aktywować konto.</p>`,
    `<p>Спасибо за покупку в ${a(1, 'Акме')}.</p><p>${a(2, 'Нажмите сюда')}, чтобы сбросить пароль.</p>`,
    `<p>${a(1, 'Acme')} 感谢您。</p><p>请点击${a(2, '这个链接')}重置密码。</p>`,
    `<p>${a(1, 'Acme')}</p><p>パスワードの再設定は${a(2, 'こちら')}から。</p>`,
    `<p>Klik ${a(1, 'hier')} om je af te melden.</p><p>Klik ${a(2, 'hier')} om je account te activeren.</p>`,
    `<p>Se não consegue ver este e-mail, ${a(1, 'clique aqui')}.</p><p>Para ativar a conta, ${a(2, 'clique aqui')}.</p>`,
    `<p>Se non visualizzi correttamente questa e-mail ${a(1, 'clicca qui')}.</p><p>Per attivare l'account ${a(2, 'clicca qui')}.</p>`,
    `<p>Si no ve bien este correo ${a(1, 'haga clic aquí')}.</p><p>Para verificar su cuenta ${a(2, 'haga clic aquí')}.</p>`,
    `<p>Email nie wyświetla się poprawnie? ${a(1, 'Kliknij tutaj')}</p><p>Aby zweryfikować konto, ${a(2, 'kliknij tutaj')}.</p>`,
    `<p>Questions? Contact us ${a(1, 'here')}.</p><p>Your bill is ready: ${a(2, 'this link')}.</p>`,
  ]) {
    it(`are rated by their sentence: ${html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ').trim()}`, () => {
      expect(findLinks(html, '')[0]!.url).to.equal(urlOf(2))
    })
  }

  it('keep the order of the mail when their sentences say nothing', () => {
    const html = `<p>See ${a(1, 'the news')}, or ${a(2, 'click here')}.</p>`
    expect(findLinks(html, '').map(({ url }) => url)).to.deep.equal([1, 2].map(urlOf))
  })

  it('are found after invisible characters', () => {
    const padding = '\u200c\u00a0'.repeat(100) + 'x\u200bx'.repeat(40)
    const html = `<p>${padding}</p><p>Welcome to ${a(1, 'Acme')}.</p><p>To confirm your address, click ${a(2, 'here')}. Bye.</p>`
    expect(findLinks(html, '')[0]!.url).to.equal(urlOf(2))
  })
})
