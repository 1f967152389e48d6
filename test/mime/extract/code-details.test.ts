import { expect } from 'chai'
import { detailsOf } from '../../../server/mime/extract/code-details.ts'
import { readMessage } from '../../../server/mime/read-message.ts'

/** A text with the code 482913, and the seconds for which it says that the code is valid. */
const valid: [text: string, seconds: number][] = [
  ['Your code is 482913. It expires in 10 minutes.', 600],
  ['Your code is 482913 (valid for 5 min).', 300],
  ['Tu código es 482913. Tienes 5 minutos antes de que caduque.', 300],
  ['നിങ്ങളുടെ സ്ഥിരീകരണ കോഡ് 482913 ആണ്. ഈ കോഡിന് 10 മിനിറ്റ് സാധുതയുണ്ട്.', 600],
  ['Рамзи тасдиқ 482913. Рамз 5 дақиқа эътибор дорад.', 300],
  ['کۆد 482913. ئەم کۆدە بۆ ماوەی ٥ خولەک کارایە.', 300],
  ['Ikhodi 482913. Le khodi izophelelwa yisikhathi emizuzwini engu-10.', 600],
  ['Il-kodiċi 482913. Il-kodiċi jiskadi fi żmien 10 minuti.', 600],
  ['Вашиот код за потврда е 482913. Внесете го во рок од 10 минути.', 600],
  ['ستاسو د تایید کوډ 482913 دی. د ۱۰ دقیقو لپاره د اعتبار وړ دی.', 600],
  ['کۆدی پشتڕاستکردنەوەکەت 482913. بۆ ماوەی ٥ خولەک کار دەکات.', 300],
  ['Ikhodi yakho yokuqinisekisa ngu-482913. Iphelelwa yisikhathi emizuzwini emi-5.', 300],
  ['Lambar tabbatarwarka ita ce 482913. Za ta ƙare cikin minti 10.', 600],
  ['Eich cod dilysu yw 482913. Bydd yn dod i ben ymhen 15 munud.', 900],
  ['Is é do chód fíoraithe ná 482913. Rachaidh sé in éag i gceann 10 nóiméad.', 600],
  ['Ihr Code lautet 482913. Er ist 15 Minuten gültig.', 900],
  ['Ihr Code: 482913, gültig für 15 Minuten', 900],
  ['Votre code 482913 expire dans une heure.', 3600],
  ['認証コード: 482913\n有効期限は10分です。', 600],
  ['인증번호 482913 (10분간 유효)', 600],
  ['您的验证码是482913,10分钟内有效。', 600],
  ['Код 482913 действителен 5 минут.', 300],
  ['Your code is 482913. It is valid for half an hour.', 1800],
  ['Ihr Code ist 482913. Er gilt eine halbe Stunde.', 1800],
  ['Ihr Code ist 482913. Er ist eine halbe Stunde gültig.', 1800],
  ['Your code is 482913. It expires in an hour.', 3600],
  ['Your code is 482913. It is valid for 1 hour and 30 minutes.', 5400],
  ['Su código es 482913. Caduca en 10 minutos.', 600],
  ['Il tuo codice è 482913. Scade tra 10 minuti.', 600],
  ['Seu código é 482913. Válido por 10 minutos.', 600],
  ['Je code is 482913. Deze is 10 minuten geldig.', 600],
  ['Twój kod to 482913. Kod jest ważny przez 10 minut.', 600],
  ['Váš kód je 482913. Platí 10 minut.', 600],
  ['Din kod är 482913. Koden är giltig i 10 minuter.', 600],
  ['Din kode er 482913. Koden utløper om 10 minutter.', 600],
  ['Koodisi on 482913. Koodi on voimassa 10 minuuttia.', 600],
  ['Doğrulama kodunuz 482913. Kod 10 dakika geçerlidir.', 600],
  ['رمز التحقق هو 482913. صالح لمدة 10 دقائق.', 600],
  ['קוד האימות שלך הוא 482913. הקוד בתוקף למשך 10 דקות.', 600],
  ['आपका कोड 482913 है। यह 10 मिनट के लिए मान्य है।', 600],
  ['รหัส OTP ของคุณคือ 482913 ใช้ได้ภายใน 10 นาที', 600],
  ['Mã xác thực của bạn là 482913. Mã có hiệu lực trong 10 phút.', 600],
  ['Kode verifikasi Anda 482913. Berlaku selama 10 menit.', 600],
  ['Az ön kódja 482913. A kód 10 percig érvényes.', 600],
  ['Codul dvs. este 482913. Codul expiră în 10 minute.', 600],
  ['Ο κωδικός σας είναι 482913. Λήγει σε 10 λεπτά.', 600],
  ['Ваш код 482913. Код дійсний 10 хвилин.', 600],
  ['Вашият код е 482913. Валиден е 10 минути.', 600],
  ['کد شما 482913 است. این کد تا 10 دقیقه معتبر است.', 600],
  ['আপনার কোড 482913। এটি ১০ মিনিটের জন্য বৈধ।', 600],
  ['உங்கள் குறியீடு 482913. இது 10 நிமிடங்களுக்கு செல்லுபடியாகும்.', 600],
  ['您的驗證碼為 482913,請於五分鐘內輸入。', 300],
  ['验证码482913,30分钟内有效', 1800],
  ['Use code 482913 within the next twenty minutes.', 1200],
  ['Enter 482913 as your code within ten (10) minutes.', 600],
  ['Your code is 482913. Code expires in: 10 minutes', 600],
  ['Code: 482913\nValid for:\n10 minutes', 600],
  ['Your code 482913 will expire in 24 hours.', 86400],
  ['Ваш код 482913 действителен в течение часа.', 3600],
  ['Код 482913 действует полчаса.', 1800],
  ['Your code is 482913. This code lasts 90 seconds.', 90],
  ['Kodunuz 482913. Kod yarım saat geçerlidir.', 1800],
  ['Nambari yako ya siri ni 482913. Itaisha baada ya dakika 10.', 600],
  ['Your verification code is 482913. This 10-minute code is valid once.', 600],
  ['Votre code est 482913. Il est valable 15 minutes.', 900],
  ['Votre code est 482913. Il est valable une demi-heure.', 1800],
  ['Tu código es 482913. Es válido durante media hora.', 1800],
  ['O código é 482913. Expira dentro de meia hora.', 1800],
  ['Il codice è 482913. È valido per mezz’ora.', 1800],
  ['De code is 482913. Hij is een half uur geldig.', 1800],
  ['Your code is 482913. Codes expire after 15 mins.', 900],
  ['482913 is your code. Expires 10min', 600],
  ['Jūsu kods ir 482913. Kods derīgs 10 minūtes.', 600],
  ['Jūsų kodas 482913. Kodas galioja 10 minučių.', 600],
  ['Teie kood on 482913. Kood kehtib 10 minutit.', 600],
  ['Vaš kod je 482913. Kod vrijedi 10 minuta.', 600],
  ['Vaša koda je 482913. Koda velja 10 minut.', 600],
  ['Váš kód je 482913. Kód platí 10 minút.', 600],
  ['El teu codi és 482913. Caduca en 10 minuts.', 600],
  ['თქვენი კოდი: 482913. მოქმედებს 10 წუთი.', 600],
  ['Ձեր կոդը՝ 482913։ Այն գործում է 10 րոպե։', 600],
  ['Kodi juaj është 482913. Kodi skadon për 10 minuta.', 600],
  ['Kóðinn þinn er 482913. Hann gildir í 10 mínútur.', 600],
  ['Sizin kodunuz 482913. Kod 10 dəqiqə etibarlıdır.', 600],
  ['Kodingiz 482913. Kod 10 daqiqa amal qiladi.', 600],
  ['Сіздің кодыңыз 482913. Код 10 минут жарамды.', 600],
  ['Таны код 482913. Код 10 минут хүчинтэй.', 600],
  ['Ваш код 482913. Код дзейнічае 10 хвілін.', 600],
  ['Вашиот код е 482913. Кодот важи 10 минути.', 600],
  ['Ваш код је 482913. Код важи 10 минута.', 600],
  ['Kod anda ialah 482913. Sah selama 10 minit.', 600],
  ['మీ కోడ్ 482913. ఇది 10 నిమిషాలు చెల్లుబాటు అవుతుంది.', 600],
  ['ನಿಮ್ಮ ಕೋಡ್ 482913. ಇದು 10 ನಿಮಿಷಗಳವರೆಗೆ ಮಾನ್ಯವಾಗಿರುತ್ತದೆ.', 600],
  ['നിങ്ങളുടെ കോഡ് 482913. ഇത് 10 മിനിറ്റ് സാധുവാണ്.', 600],
  ['તમારો કોડ 482913 છે. તે 10 મિનિટ માટે માન્ય છે.', 600],
  ['ਤੁਹਾਡਾ ਕੋਡ 482913 ਹੈ। ਇਹ 10 ਮਿੰਟ ਲਈ ਵੈਧ ਹੈ।', 600],
  ['तुमचा कोड 482913 आहे. तो 10 मिनिटांसाठी वैध आहे.', 600],
  ['तपाईंको कोड 482913 हो। यो 10 मिनेटसम्म मान्य छ।', 600],
  ['ඔබේ කේතය 482913. එය විනාඩි 10 ක් වලංගු වේ.', 600],
  ['ລະຫັດຂອງທ່ານແມ່ນ 482913. ໃຊ້ໄດ້ພາຍໃນ 10 ນາທີ.', 600],
  ['កូដរបស់អ្នកគឺ 482913។ សុពលភាព 10 នាទី', 600],
  ['آپ کا کوڈ 482913 ہے۔ یہ 10 منٹ میں ختم ہو جائے گا۔', 600],
  ['Ang iyong code ay 482913. Valid ito sa loob ng 10 minuto.', 600],
  ['Jou kode is 482913. Dit is geldig vir 10 minute.', 600],
  ['Zure kodea 482913 da. 10 minutuz balio du.', 600],
  ['O teu código é 482913. Caduca en 10 minutos.', 600],
  ['您的验证码是482913，请在10分钟内输入。', 600],
  ['確認コード: 482913\nこのコードは30分間有効です。', 1800],
  ['確認コードは482913です。24時間以内に入力してください。', 86400],
  ['인증번호: 482913\n유효시간 3분', 180],
  ['인증코드는 482913입니다. 한 시간 동안 유효합니다.', 3600],
  ['您的验证码为482913，有效期十分钟。', 600],
  ['验证码482913，半小时内有效。', 1800],
  ['رمزك هو 482913. صالح لمدة ساعة.', 3600],
  ['Код 482913 діє пів години.', 1800],
  ['Kod 482913. Ważny pół godziny.', 1800],
  ['Kód 482913 platí půl hodiny.', 1800],
  ['Koden er 482913. Den gælder i ti minutter.', 600],
  ['Tu código 482913 caduca en quince minutos.', 900],
  ['Votre code 482913 expire dans quinze minutes.', 900],
  ['Your code is 482913. It expires in 1.5 hours.', 5400],
  ['Your code is 482913. Expires in 2 days.', 172800],
  ['Your code: 482913\n\nThis code and link expire in 15 minutes.', 900],
  ['Your code is 482913. Requested 2 minutes ago. Valid for 10 minutes.', 600],
]

/** Texts with the code 482913 that do not say how long it is valid. */
const others = [
  'Your code is 482913. If you did not ask for it, contact us within 24 hours.',
  'Your code is 482913. Submit both forms within 30 days.',
  'Your code is 482913. The password expires in 90 days.',
  'Your code is 482913. Your previous code expired 10 minutes ago.',
  'Your code is 482913. Your trial expires in 14 days.',
  'Your code is 482913. We deliver within 24 hours of your order.',
  'Your code is 482913. It may take 5 minutes to arrive.',
  'Your code is 482913. The link expires in 24 hours.',
  'Your code is 482913. You can request a new code in 60 seconds.',
  'Your code is 482913. It expires on 28 November at 15:30.',
  '認証コード: 482913\n15時30分まで有効',
  'Ihr Code ist 482913. Ihr letzter Code ist vor 10 Minuten abgelaufen.',
  'Your code is 482913.',
  'רמז הקוד 482913 תקף לשעתיים.',
  'Your code is 482913. Valid for 5-10 minutes.',
  'Your code is 482913. Your session expires in 30 minutes.',
  'Your code is 482913. Your order 4821 ships in 2 days.',
  'Your code is 482913. The coupon code expires in 3 days.',
  'Your code is 482913. This code has expired.',
  'Your code is 482913. Membership valid for 365 days.',
  'Ihr Code lautet 482913. Der Link ist 24 Stunden gültig.',
  'Votre code est 482913. Votre lien expire dans 24 heures.',
  "Your code is 482913. For your security, don't share it. Didn't ask for it? We answer within 2 hours.",
]

/** Sentences behind two codes, by their minutes: requests to enter both, words for "expires", and commas of ASCII in texts of CJK. */
const behindTwo: Record<number, string[]> = {
  3: [
    'Лозинката истекува за 3 минути.', 'Кодот истекува за 3 минути.', 'Код истиче за 3 минута.', 'Kod ističe za 3 minuta.',
    'Kod istječe za 3 minute.', 'Kod ističe za 3 minute.', 'Koda poteče čez 3 minute.', 'Кодът изтича след 3 минути.',
    'Паролата изтича след 3 минути.', 'Кодот важи 3 минути.', 'Лозинка истиче за 3 минута.', 'Lozinka istječe za 3 minute.',
    'Пароль истекает через 3 минуты.', 'Пароль дійсний 3 хвилини.', 'Hasło wygasa za 3 minuty.', 'Heslo vyprší za 3 minuty.',
    'Heslo vyprší o 3 minúty.', 'Das Passwort läuft in 3 Minuten ab.', 'Le mot de passe expire dans 3 minutes.',
    'La contraseña caduca en 3 minutos.', 'A senha expira em 3 minutos.', 'Het wachtwoord verloopt over 3 minuten.',
    'Your one-time password will expire in 3 minutes.', 'Parola expiră în 3 minute.', 'Şifrenin süresi 3 dakika içinde dolacak.',
  ],
  5: [
    '验证码为【604815】,5分钟内有效', '验证码604815,5分钟内有效。', '您的验证码是604815,请在5分钟内输入。', '验证码：604815,有效期5分钟', '验证码为(604815),5分钟有效', '验证码为604815.5分钟内有效',
    '验证码为"604815",5分钟内有效', '驗證碼為「604815」,5分鐘內有效', '認証コードは【604815】,5分間有効です', '인증번호 [604815],5분간 유효합니다', '인증번호 604815,5분 이내 입력',
    'Code (604815),5 minutes validity', 'Your code is 604815,5 min validity.', 'Code: 604815.Valid for 5 minutes',
    '【小站】验证码604815（5分钟内有效）',
  ],
  30: [
    'Enter both on the change page within 30 minutes.', 'Enter them on the change page within 30 minutes.',
    'Type these within 30 minutes.', 'Use each of them within 30 minutes.', 'Please use the two codes within 30 minutes.',
    'Enter these on the page within 30 minutes.', 'Enter both within 30 minutes of this email.',
    'Geben Sie beide innerhalb von 30 Minuten ein.', 'Gib sie innerhalb von 30 Minuten ein.', 'Saisissez-les dans les 30 minutes.',
    'Saisissez les deux dans les 30 minutes.', 'Introdúcelos en la página en los próximos 30 minutos.',
    'Introduce ambos en un plazo de 30 minutos.', 'Inseriscili entro 30 minuti.', 'Inserisci entrambi entro 30 minuti.',
    'Introduza ambos em até 30 minutos.', 'Digite os dois em até 30 minutos.', 'Voer ze binnen 30 minuten in.',
    'Voer beide in binnen 30 minuten.', 'Ange båda inom 30 minuter.', 'Indtast begge inden for 30 minutter.',
    'Skriv inn begge innen 30 minutter.', 'Syötä molemmat 30 minuutin kuluessa.', 'Wpisz oba w ciągu 30 minut.',
    'Wpisz je w ciągu 30 minut.', 'Zadejte oba do 30 minut.', 'Zadajte oba do 30 minút.', 'Vnesite obe v 30 minutah.',
    'Unesite oba u roku od 30 minuta.', 'Унесите оба у року од 30 минута.', 'Въведете и двата в рамките на 30 минути.',
    'Внесете ги двата во рок од 30 минути.', 'Введите оба в течение 30 минут.', 'Введите их в течение 30 минут.',
    'Введіть обидва протягом 30 хвилин.', 'Introduceți ambele în 30 de minute.', 'Írja be mindkettőt 30 percen belül.',
    'Her ikisini de 30 dakika içinde girin.', 'Εισαγάγετε και τους δύο εντός 30 λεπτών.', 'Introduïu tots dos en 30 minuts.',
    '両方を30分以内に入力してください。', '30분 이내에 둘 다 입력하세요.', '请在30分钟内输入两者。', 'Masukkan keduanya dalam 30 menit.', 'Nhập cả hai trong vòng 30 phút.',
    '验证码为【604815】,30分钟内有效', 'Codul expiră în 30 de minute.',
  ],
}

function read(body: string, type = 'plain') {
  const mail = readMessage(Buffer.from(`Subject: Sign in\r\nContent-Type: text/${type}; charset=utf-8\r\n\r\n${body}`))
  return mail.codeDetails
}

const secondsOf = (text: string) => detailsOf(['482913'], 'Sign in', text)[0]!.expiresInSeconds

describe('Validity of codes', () => {
  it(`is read from the words of ${valid.length} texts in the languages of codes`, () => {
    expect(valid.map(([text]) => [text, secondsOf(text)])).to.deep.equal(valid)
  })

  for (const [minutes, sentences] of Object.entries(behindTwo)) {
    it(`is ${minutes} minutes in a sentence behind two codes, in each language`, () => {
      const secondsOfBoth = (text: string) => detailsOf(['604815', '771204'], 'Info', `Code: 604815\nCode: 771204\n\n${text}`).map((code) => code.expiresInSeconds)
      const seconds = Number(minutes) * 60
      expect(sentences.map((text) => [text, secondsOfBoth(text)])).to.deep.equal(sentences.map((text) => [text, [seconds, seconds]]))
    })
  }

  it('is not that of another thing, a time in the past, or a time of day', () => {
    expect(others.map((text) => [text, secondsOf(text)])).to.deep.equal(others.map((text) => [text, null]))
  })

  for (const [words, seconds] of [['ten minutes', 600], ['zehn Minuten', 600], ['dix minutes', 600], ['diez minutos', 600], ['dieci minuti', 600], ['dez minutos', 600],
    ['tien minuten', 600], ['twenty-five minutes', 1_500], ['dreißig Minuten', 1_800], ['a minute', 60], ['one day', 86_400], ['einem Tag', 86_400], ['10 (ten) minutes', 600],
    ['45 sec', 45], ['3 days', 259_200], ['2 h', 7_200]] as const) {
    it(`has ${words}`, () => { expect(secondsOf(`Your code is 482913, valid for ${words}.`)).to.equal(seconds) })
  }

  it('stands in the subject, in a table of HTML, and in digits of other scripts', () => {
    expect(detailsOf(['482913'], 'Your code (valid for 10 minutes)', '482913')[0]!.expiresInSeconds).to.equal(600)
    expect(read('<table><tr><td>Code</td><td>482913</td></tr><tr><td>Valid for</td><td>10 minutes</td></tr></table>', 'html')).to.deep.equal([
      { code: '482913', expiresInSeconds: 600, boundTo: null },
    ])
    expect(secondsOf('رمز التحقق هو 482913. صالح لمدة ١٠ دقائق.')).to.equal(600)
  })

  it('is that nearest to each code, where there are several', () => {
    const codes = ['482913', '771204']
    const bodyText = 'Sign-in code 482913, valid for 5 minutes.\n\nBackup code 771204, valid for 30 days.'
    expect(detailsOf(codes, '', bodyText).map(({ code, expiresInSeconds }) => [code, expiresInSeconds])).to.deep.equal([['482913', 300], ['771204', 2_592_000]])
    const shared = 'Codes: 482913, 771204. Each code expires in 5 minutes.'
    expect(detailsOf(codes, '', shared).map(({ expiresInSeconds }) => expiresInSeconds)).to.deep.equal([300, 300])
  })
})

describe('Validity of codes: with other characters than digits', () => {
  for (const code of ['XYK-9QP', 'ABCD-1234', 'a.b*c', '(12)', 'käse-7', '^$1', 'blue-otter-42']) {
    it(`is that nearest to ${code}`, () => {
      const bodyText = `The link expires in 24 hours. Your code is ${code}, valid for 10 minutes. Your code request expires after 2 days.`
      expect(detailsOf([code], '', bodyText)).to.deep.equal([{ code, expiresInSeconds: 600, boundTo: null }])
    })
  }
})

describe('Validity of codes: bounds', () => {
  it('reads the first hundred durations of a text: each costs the server some expressions', () => {
    const text = (others: number) => `${'It takes 7 days. '.repeat(others)}Your code is 482913. It is valid for 10 minutes.`
    expect([secondsOf(text(99)), secondsOf(text(100))]).to.deep.equal([600, null])
  })

  it('compares the first fifty places of a code', () => {
    const text = `A code is valid for 5 minutes.${' -'.repeat(200)}${' 482913'.repeat(50)}${' -'.repeat(400)} 482913: valid for 2 minutes.`
    expect(secondsOf(text)).to.equal(300)
  })
})

describe('Codes in two bodies', () => {
  const readBoth = (text: string, html: string, subject = 'Sign in') => readMessage(Buffer.from([
    `Subject: ${subject}`, 'MIME-Version: 1.0', 'Content-Type: multipart/alternative; boundary=b', '',
    '--b', 'Content-Type: text/plain; charset=utf-8', '', text, '--b', 'Content-Type: text/html; charset=utf-8', '', html, '--b--', '',
  ].join('\r\n')))

  it('have the validity that the HTML alone says, whichever body has the code', () => {
    for (const text of ['Your code is 482913.', 'Open this mail in another program to see its page, please.']) {
      const { codes, codeDetails } = readBoth(text, '<p>Your code is <b>482913</b>.</p><p>It is valid for 10 minutes.</p>')
      expect([codes, codeDetails], text).to.deep.equal([['482913'], [{ code: '482913', expiresInSeconds: 600, boundTo: null }]])
    }
    const { codeDetails } = readBoth('Your code is 482913, valid for 5 minutes.', '<p>Your code is 482913, valid for 10 minutes.</p><p>@shop.example #482913</p>')
    expect(codeDetails).to.deep.equal([{ code: '482913', expiresInSeconds: 300, boundTo: 'shop.example' }])
  })

  it('differ where the HTML shows another one, or not that of the text, of which alone the validity is then', () => {
    for (const html of ['<p>Your code is 771204, valid for 10 minutes.</p>', '<p>Your code is 771204.</p><p hidden>482913</p><!-- 482913 -->', '<p>Hello. The code expires in 10 minutes.</p>',
      '<p>Your code is 771204. Your order is 482913.</p>', '<p>Your login code: 771204</p><p>Your login code: 482913</p>', '<p>Your code is 771204</p><p>Call 148291377</p>']) {
      const { codes, codeDetails, hasOtherCode } = readBoth('Your code is 482913.', html)
      expect({ codes, codeDetails, hasOtherCode }, html)
        .to.deep.equal({ codes: ['482913'], codeDetails: [{ code: '482913', expiresInSeconds: null, boundTo: null }], hasOtherCode: true })
    }
    expect(readBoth('Your code is 482913. Your order is 771204.', '<p>Your code is 771204. Your order is 482913.</p>').hasOtherCode).to.equal(true)
  })

  it('do not differ by their form, further codes, or the lack of one in the text', () => {
    for (const [text, html] of [
      ['Your code is 482913.', '<p>Your code is <b>482 913</b></p>'], ['Your code: 482-913', '<p>Your code:</p><table><tr><td>4</td><td>8</td><td>2</td><td>9</td><td>1</td><td>3</td></tr></table>'],
      ['Your code is 482913.', '<p>Hello! 482913</p>'], ['See the page.', '<p>Your code is 482913</p>'], ['Your code is 482913.', ''], ['Your code is 482913.', '<img src="a.png">'],
      ['Codes: 482913, 771204', '<p>Codes: 771204, 482913</p>'], ['Your code is ab12-cd34.', '<p>Your code is AB12-CD34.</p>'],
      ['Your code is \u0664\u0668\u0662\u0669\u0661\u0663.', '<p>Your code is 482913.</p>'],
    ] as const) expect(readBoth(text, html).hasOtherCode, html).to.equal(false)
    expect(readBoth('Hello', '<p>Hello</p>', '482913 is your code').hasOtherCode).to.equal(false)
  })
})

describe('Codes that are bound to a host', () => {
  const hostOf = (line: string, code = '747723') => detailsOf([code], '', `${code} is your code.\n\n${line}`)[0]!.boundTo

  it('name it in a line of their own', () => {
    expect(read('747723 is your ExampleCo code.\n\n@example.com #747723')).to.deep.equal([{ code: '747723', expiresInSeconds: null, boundTo: 'example.com' }])
    expect(hostOf('@Example.com #747723')).to.equal('example.com')
    expect(hostOf('@bücher.example #747723')).to.equal('xn--bcher-kva.example')
    expect(hostOf('@localhost:3000 #747723')).to.equal('localhost:3000')
  })

  it('may also name a host that is embedded', () => {
    expect(hostOf('@example.com #747723 %pay.example')).to.equal('example.com')
    expect(hostOf('@example.com #747723 @pay.example')).to.equal('example.com')
  })

  it('are written with or without separators', () => {
    expect(hostOf('@example.com #747-723')).to.equal('example.com')
    expect(hostOf('@example.com #AB-12', 'AB12')).to.equal('example.com')
  })

  it('are no others', () => {
    for (const line of ['@example.com #999111', 'Follow us @example.com #747723', '@example.com#747723', '@ #747723', '@exa mple.com #747723', '@example.com/a #747723', '@a@b.example #747723']) {
      expect(hostOf(line), line).to.equal(null)
    }
  })
})
