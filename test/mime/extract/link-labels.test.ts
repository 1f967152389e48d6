import { expect } from 'chai'
import { findLinks } from './find-links.ts'

/** URLs that say nothing about the purpose of a link. */
const urlOf = (id: string): string => `https://t.example/c/${id}`
const a = (id: string, text: string): string => `<a href="${urlOf(id)}">${text}</a>`

/** The first link of a mail with a menu, a call to action that is no button, and a footer. */
const firstOf = (label: string, menu: string): string => findLinks(`<a href="https://acme.example/"><img src="logo.png" alt="Acme"></a>
  <p>${a('menu', menu)} ${a('other', 'Acme')}</p><p>Text.</p><p>${a('action', label)}</p><p>${a('help', 'Help')} ${a('u', 'Unsubscribe')}</p>`, '')[0]!.url

describe('Labels of links', () => {
  for (const [label, menu] of [
    ['Accept invitation', 'Log in'], ['Einladung annehmen', 'Anmelden'], ['Einladung akzeptieren', 'Blog'], ['Accepter l’invitation', 'Connexion'],
    ['Aceptar la invitación', 'Iniciar sesión'], ['Aceitar convite', 'Entrar'], ['Accetta l’invito', 'Accedi'], ['Uitnodiging accepteren', 'Inloggen'],
    ['Przyjmij zaproszenie', 'Strona główna'], ['Zaakceptuj zaproszenie', 'Zaloguj się'], ['Принять приглашение', 'Войти'], ['Прийняти запрошення', 'Увійти'],
    ['Приемане на поканата', 'Вход'], ['Прихвати позив', 'Почетна'], ['Daveti kabul et', 'Ana sayfa'], ['Přijmout pozvánku', 'Domů'], ['Prijať pozvánku', 'Domov'],
    ['Acceptera inbjudan', 'Logga in'], ['Acceptér invitationen', 'Log ind'], ['Godta invitasjonen', 'Min side'], ['Aksepter invitasjonen', 'Logg inn'],
    ['Hyväksy kutsu', 'Etusivu'], ['Meghívó elfogadása', 'Kezdőlap'], ['Acceptă invitația', 'Conectare'], ['Prihvati pozivnicu', 'Početna'], ['Sprejmi povabilo', 'Domov'],
    ['Prano ftesën', 'Kreu'], ['Võta kutse vastu', 'Avaleht'], ['Nõustu kutsega', 'Avaleht'], ['Pieņemt uzaicinājumu', 'Sākums'], ['Priimti kvietimą', 'Pradžia'],
    ['Samþykkja boð', 'Heim'], ['Aċċetta l-istedina', 'Blog'], ['Onartu gonbidapena', 'Hasiera'], ['Derbyn y gwahoddiad', 'Hafan'], ['Glac leis an gcuireadh', 'Baile'],
    ['Dəvəti qəbul et', 'Əsas'], ['Taklifni qabul qilish', 'Bosh sahifa'], ['Tanggapin ang imbitasyon', 'Tahanan'], ['Aqbal casuumaadda', 'Bogga'], ['Karɓi gayyata', 'Gida'],
    ['Kubali mwaliko', 'Nyumbani'], ['Yamukela isimemo', 'Ikhaya'], ['Αποδοχή πρόσκλησης', 'Αρχική'], ['Урилгыг хүлээн авах', 'Нүүр'], ['Ընդունել հրավերը', 'Գլխավոր'],
    ['მოწვევის მიღება', 'მთავარი'], ['接受邀请', '首页'], ['接受邀請', '首頁'], ['招待を受ける', 'ホーム'], ['招待を承諾する', 'ログイン'], ['초대 수락', '로그인'], ['قبول الدعوة', 'الرئيسية'],
    ['קבלת ההזמנה', 'דף הבית'], ['קבל את ההזמנה', 'התחבר'], ['आमंत्रण स्वीकार करें', 'होम'], ['ตอบรับคำเชิญ', 'หน้าแรก'], ['ยอมรับคำเชิญ', 'เข้าสู่ระบบ'], ['Chấp nhận lời mời', 'Đăng nhập'],
    ['Terima undangan', 'Masuk'], ['پذیرش دعوت', 'خانه'], ['دعوت قبول کریں', 'ہوم'], ['அழைப்பை ஏற்கவும்', 'முகப்பு'], ['আমন্ত্রণ গ্রহণ করুন', 'হোম'],
    ['ఆహ్వానాన్ని అంగీకరించండి', 'హోమ్'], ['ക്ഷണം സ്വീകരിക്കുക', 'ഹോം'], ['ಆಹ್ವಾನ ಸ್ವೀಕರಿಸಿ', 'ಮುಖಪುಟ'], ['આમંત્રણ સ્વીકારો', 'હોમ'], ['ਸੱਦਾ ਸਵੀਕਾਰ ਕਰੋ', 'ਹੋਮ'], ['ආරාධනය පිළිගන්න', 'මුල'],
    ['ຍອມຮັບຄຳເຊີນ', 'ໜ້າຫຼັກ'], ['ទទួលយកការអញ្ជើញ', 'ទំព័រដើម'], ['ဖိတ်ကြားချက် လက်ခံရန်', 'ပင်မ'], ['ግብዣውን ተቀበል', 'መነሻ'],
  ] as const) {
    it(`begin with the acceptance of an invitation: "${label}"`, () => {
      expect(firstOf(label, menu)).to.equal(urlOf('action'))
    })
  }

  for (const label of ['Aktiveeri konto', 'Aktivizēt kontu', 'Aktyvuoti paskyrą', 'Aktivizo llogarinë', 'Aktibatu kontua', 'Virkja aðgang', 'खाता सक्रिय करें', 'เปิดใช้งานบัญชี',
    'アカウントを有効にする', 'Setează parolă nouă', 'Επιλέξτε νέο κωδικό', 'RSVP']) {
    it(`begin with the act of a mail: "${label}"`, () => expect(firstOf(label, 'View event page')).to.equal(urlOf('action')))
  }

  it('begin with the verb of an act, in each of its forms', () => {
    for (const label of `
      Potvrďte_svůj_e-mail Potvrzuji Přihlaste_se Pokračovat Sledovat_zásilku Potvrďte_svoj_e-mail Overiť_účet Overte_svoj_účet Prihlásiť_sa Pokračovať Zaplatiť Jelentkezzen_be Folytatás Fizetés
      Schimbă_parola Continuă Plătește Потвърждаване Влезте Приемете_поканата Продължи Платете Проверить_аккаунт Продолжить Активуйте_акаунт Увійдіть Продовжити Сплатити Ресетуј_лозинку Настави
      Promijeni_lozinku Dovrši_registraciju Ponastavi_geslo Nadaljuj Επαληθεύστε_το_email Ολοκληρώστε_την_εγγραφή Πληρωμή Parolayı_değiştir Devam_et Öde أكد_بريدك أكّد_حسابك فعّل_حسابك سجّل_الدخول
      متابعة כניסה_לחשבון המשך بازنشانی_رمز_عبور وارد_شوید پرداخت لاگ_ان_کریں पासवर्ड_बदलें साइन_इन_करें लॉग_इन_करें পাসওয়ার্ড_রিসেট_করুন লগ_ইন_করুন உள்நுழை เปลี่ยนรหัสผ่าน ลงชื่อเข้าใช้ ชำระเงิน
      Xác_thực_tài_khoản Đổi_mật_khẩu Tiếp_tục Thanh_toán Aktivasi Lanjutkan Bayar Tetapkan_semula_kata_laluan Teruskan 继续 立即支付 繼續 続ける 支払う 계속 결제하기 პაროლის_შეცვლა შესვლა
      Փոխել_գաղտնաբառը Մուտք Şifrəni_dəyiş Daxil_ol Құпиясөзді_өзгерту Faollashtirish Parolni_tiklash Lähtesta_parool Logi_sisse Atiestatīt_paroli Pieslēgties Pakeisti_slaptažodį Prisijungti
      Endurstilla_lykilorð Innskráning Restableix_la_contrasenya Inicia_la_sessió Berrezarri_pasahitza Hasi_saioa Ndrysho_fjalëkalimin Промени_лозинка Најави_се Badilisha_nenosiri Ingia
      Verander_wagwoord Teken_in Athshocraigh_pasfhocal Ailosod_cyfrinair Mewngofnodi Jetzt_bezahlen Nu_betalen Betala_nu Betal_nå Maksa_nyt Continuar Continua Doorgaan Fortsätt Fortsett Jatka
      Kontynuuj`.trim().split(/\s+/).map((words) => words.replaceAll('_', ' '))) {
      expect(firstOf(label, 'Offers'), label).to.equal(urlOf('action'))
    }
  })

  it('begin with an act rather than with the question above it, also in a text', () => {
    for (const [question, act] of [['Nebyli jste to vy?', 'Potvrďte svůj e-mail'], ['Neboli ste to vy?', 'Potvrďte svoj e-mail'], ['لم تكن أنت؟', 'أكد بريدك الإلكتروني']]) {
      expect(findLinks('', `${question} ${urlOf('no')}\n\n${act}: ${urlOf('action')}\n`)[0]!.url, act).to.equal(urlOf('action'))
    }
  })

  it('begin with the pull request, or the pipeline, that a notice is about', () => {
    const page = (text: string) => text.replace(/\[(.*?)\]\((.*?)\)/g, '<a href="https://$2">$1</a>')
    const request = page('<p>Fixes it, see our [login docs](acme.example/docs/login).</p><p>You can view, comment on, or merge this pull request online at:</p>'
      + '<p>[https://github.com/acme/api/pull/31](github.com/acme/api/pull/31)</p><p>[4e81f09](github.com/acme/api/pull/31/commits/4e81f09)</p>')
    expect(findLinks(request, '')[0]!.url).to.equal('https://github.com/acme/api/pull/31')
    const pipeline = page('<p>Project [acme](gitlab.com/acme) / [api](gitlab.com/acme/api)</p><p>Pipeline [#18482](gitlab.com/acme/api/-/pipelines/18482) has failed.</p>')
    expect(findLinks(pipeline, '')[0]!.url).to.equal('https://gitlab.com/acme/api/-/pipelines/18482')
  })

  for (const [label, menu] of [
    ['Reset password', 'Log in'], ['Passwort zurücksetzen', 'Anmelden'], ['Mot de passe : réinitialiser', 'Se connecter'], ['Contraseña: restablecer', 'Iniciar sesión'],
    ['Wachtwoord opnieuw instellen', 'Inloggen'], ['Wachtwoord herstellen', 'Inloggen'], ['Şifreyi sıfırla', 'Giriş yap'], ['Скинути пароль', 'Увійти'], ['Сбросить пароль', 'Войти'],
    ['비밀번호 재설정', '로그인'], ['パスワードを再設定', 'ログイン'], ['密码重置', '登录'], ['Jelszó visszaállítása', 'Bejelentkezés'], ['पासवर्ड रीसेट करें', 'लॉग इन'],
    ['รีเซ็ตรหัสผ่าน', 'เข้าสู่ระบบ'], ['Đặt lại mật khẩu', 'Đăng nhập'], ['Atur ulang kata sandi', 'Masuk'], ['איפוס סיסמה', 'התחבר'], ['إعادة تعيين كلمة المرور', 'تسجيل الدخول'],
    ['Set a new password', 'Log in'], ['Neues Passwort festlegen', 'Anmelden'], ['Log in to verify your email', 'Log in'], ['Recuperar contraseña', 'Iniciar sesión'], ['Recuperar senha', 'Entrar'],
    ['Complete registration', 'Log in'], ['Finish setting up your account', 'Sign in'], ['Registrierung abschließen', 'Anmelden'], ['Finaliser mon inscription', 'Connexion'],
    ['Completar registro', 'Iniciar sesión'], ['Concluir cadastro', 'Entrar'], ['Completa la registrazione', 'Accedi'], ['Registratie voltooien', 'Inloggen'],
    ['Dokończ rejestrację', 'Zaloguj się'], ['Завершить регистрацию', 'Войти'], ['登録を完了する', 'ログイン'], ['完成注册', '登录'], ['가입 완료', '로그인'], ['إكمال التسجيل', 'تسجيل الدخول'],
  ] as const) {
    it(`begin with an act for one mail before a link to sign in: "${label}"`, () => {
      expect(firstOf(label, menu)).to.equal(urlOf('action'))
    })
  }

  for (const label of ['Download PDF', 'View invitation', 'Claim your account', 'Log me in', 'Restore access', 'Recover account', 'Download your data', 'Manage booking', 'Check in now',
    'View pull request', 'Review and sign', 'Renew now', 'Register for the event', 'Revoke access', 'See the details', 'Reply to Jane', 'Print your label', 'Reschedule', 'Rate your stay',
    'Rechnung herunterladen', 'Einladung ansehen', 'Télécharger la facture', 'Voir l’invitation', 'Descargar factura', 'Ver invitación', 'Baixar boleto', 'Scarica la fattura', 'Visualizza ordine',
    'Factuur downloaden', 'Bekijk bestelling', 'Pobierz fakturę', 'Zobacz zamówienie', 'Stáhnout fakturu', 'Ladda ner kvitto', 'Visa order', 'Lataa kuitti', 'Скачать счёт', 'Посмотреть заказ',
    'Faturayı indir', 'Siparişi görüntüle', '下载发票', '查看订单', '領収書をダウンロード', '注文を見る', '영수증 다운로드', '주문 보기', 'تحميل الفاتورة', 'عرض الطلب', 'הורדת קבלה']) {
    it(`begin with what the mail offers: "${label}"`, () => {
      expect(firstOf(label, 'Features')).to.equal(urlOf('action'))
    })
  }

  it('begin with an invoice rather than with the settings of its payment', () => {
    for (const label of ['Download PDF', 'View invoice', 'See receipt', 'Pay now']) {
      for (const settings of ['Manage billing', 'Manage subscription', 'Manage payment methods']) {
        expect(findLinks(`<p>${a('action', label)}</p><p>${a('settings', settings)}</p>`, '')[0]!.url, settings).to.equal(urlOf('action'))
        expect(findLinks(`<p>${a('settings', settings)}</p><p>${a('action', label)}</p>`, '')[0]!.url, settings).to.equal(urlOf('action'))
      }
    }
  })

  it('do not begin with a link of a menu or a footer that has such a word', () => {
    for (const label of ['View all products', 'See more', 'View plans', 'Download our app', 'Get the app', 'View in browser', 'See privacy policy', 'Manage preferences', 'View website',
      'Forgot password?', 'Invite friends']) {
      expect(findLinks(`<p>${a('menu', label)} ${a('action', 'View order')}</p>`, '')[0]!.url, label).to.equal(urlOf('action'))
    }
    expect(findLinks(`<p>${a('news', 'News')} ${a('u', 'Update your preferences')} ${a('v', 'Präferenzen verwalten')}</p>`, '')[0]!.url).to.equal(urlOf('news'))
    for (const label of ['Unsubscribe and delete account', 'Manage email preferences', 'Privacy: download your data']) {
      expect(findLinks(`<p>${a('u', label)} ${a('news', 'News')}</p>`, '')[0]!.url, label).to.equal(urlOf('news'))
    }
  })
})
