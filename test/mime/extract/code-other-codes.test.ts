import { code, found, none, testKinds } from './code-rows.ts'
import type { Row } from './code-rows.ts'

/** Codes of customers, errors, branches, schools, taxes and the like: the star is the number. */
const otherCodes = `
  股票代码 机构代码 产品代码 行业代码 课程代码 邮政代码 信用代码 组织机构代码 交易代碼 學校代碼 繳費代碼 機構代碼 会員コード 部品コード 学校コード 市区町村コード 駅コード 학교코드 가맹점코드 학교_코드
  Codice_scuola Codice_comune Codice_contratto Codice_tributo Codice_ABI Branchencode Händlercode Sortiercode Kod_GUS Kod_szkoły Okul_kodu Bayi_kodu Vergi_kodu
  Vergi_dairesi_kodu Abone_kodu Kod_cawangan Kod_negeri Kod_biller Kode_toko Kode_error Mã_lỗi Mã_vùng Κωδικός_σφάλματος Κωδικός_καταστήματος Κωδικός_ηλεκτρονικής_πληρωμής
  Hibakód Cod_eroare Клиентски_код Абонатен_код Банков_код Продуктов_код Virhekoodi Feilkode Fejlkode קוד_שגיאה קוד_סניף קוד_מיקוד קוד_בנק رمز_الخطأ کد_خطا کد_شعبه
  त्रुटि_कोड शाखा_कोड রুটিং_কোড รหัสข้อผิดพลาด รหัสพนักงาน รหัสนักศึกษา รหัสประเทศ Փոստային_կոդ Хэрэглэгчийн_код Шуудангийн_код Abonent_kodu Abonent_kodi Kliëntkode Biller_code
`.trim().split(/\s+/).map((label) => label.replaceAll('_', ' '))

const changed = [
  'パスワードが2026年11月28日に変更されました', '暗証番号が2026年11月28日に変更されました', '您的密码2026年11月28日已修改', '비밀번호가 2026년 11월 28일 변경되었습니다', '認証コードは2026年12月31日まで有効です',
  '인증번호는 2026년 12월 31일까지 유효합니다', '验证码2026年11月28日10:12发送', 'รหัสผ่านถูกเปลี่ยนเมื่อ 28 พฤศจิกายน 2569', 'รหัสผ่านถูกเปลี่ยน 28 พ.ย. 2569', 'رمز عبور در ۷ آذر ۱۴۰۵ تغییر کرد',
  'Құпиясөз 2026 жылы өзгертілді', 'Пароль 2026 жылы өзгертілді', 'Нууц үг 2026 оны 11 сарын 28-нд солигдсон', 'Parol 2026-yil 28-noyabrda o‘zgartirildi', 'Pasahitza 2026ko azaroaren 28an aldatu da',
]

const purposes = `
  Code_d’accès Code_à_usage_unique Code_d’authentification Code_temporaire Code_secret Code_de_réinitialisation Code_d’identification Code_d’invitation Code_à_6_chiffres Code_unique
  Code_d’appairage Código_de_un_solo_uso Código_temporal Código_de_acceso Código_de_recuperación Código_de_invitación Código_de_registro Código_de_uso_único
  Código_temporário Código_de_levantamento Código_de_recuperação Код_за_сигурност Код_за_достъп Код_за_активиране Код_за_удостоверяване Код_за_получаване Код_за_проверка
  Код_аутентификации Код_получения Код_верификации Код_выдачи Код_проверки Код_безпеки Код_автентифікації Код_отримання Код_верифікації Код_пацвярджэння Код_бяспекі Код_для_ўваходу
  Код_актывацыі Код_за_пријаву Код_за_најава Код_за_пристап`.trim().split(/\s+/).map((label) => label.replaceAll('_', ' '))

const rarer = `
  Fjalëkalimi_një_herë SMS_şifresi ერთჯერადი_პაროლი Միանգամյա_գաղտնաբառ Нэг_удаагийн_нууц_үг كلمة_مرور_مؤقتة گذرواژه_موقت او_ٹی_پی ஒருமுறை_கடவுச்சொல் ஓடிபி ఓటీపీ ઓટીપી ਓਟੀਪੀ ಒಟಿಪಿ ഒടിപി
  Mật_khẩu_tạm_thời Kata_sandi_sementara Kata_laluan_sekali_guna Kata_laluan_sementara Nenosiri_la_mara_moja 提取码 配对码 安全性代碼 開通碼 ワンタイムパス Unufoja_pasvorto Contrasinal_dun_só_uso
  Pasfhocal_aonuaire Cyfrinair_untro Eenmalige_wagwoord`.trim().split(/\s+/).map((label) => label.replaceAll('_', ' '))

testKinds('One-time codes beside other codes', {
  'are none of another kind': none(otherCodes.flatMap((label) => [`${label} 771204`, `${label}: 771204`])),
  'are found below one of another kind': found(otherCodes.map((label) => `${label}: 771204\nOTP: ${code}`)),
  'are named by words for signing in, beside which those of other nouns are none': ([
    ['Group code: *', 'Verification code: #'], ['User code: *', 'Verification code: #'], ['Felhasználói kód: *', 'Egyszer használatos kód: #'], ['Zone code *', 'Login code #'], ['Código de zona: *', 'Código de verificación: #'], ['Regionalcode *', 'Bestätigungscode #'], ['Kod strefy: *', 'Kod weryfikacyjny: #'],
  ] as const).map(([other, own]): Row => [code, 'Acme', `${other}\n${own}`.replace('*', '771204').replace('#', code)]),
  'are no other number that stands behind a comma of their label': none([
    'Code postal 75011, digicode non renseigné', 'Uimhir chuntais 448120, Éirchód D02 AF30', 'Codice POD IT001E44188204, codice cliente 448 120 441, CAP 00144.', 'รหัสผ่านถูกเปลี่ยนแล้ว เลขที่ 448120',
    'รหัสผ่านของคุณถูกเปลี่ยนแล้ว หมายเลขอ้างอิง 448120',
  ]),
  'are no year of a date': [
    ...none(changed),
    ...found(changed.map((text) => `${text}\n\nOTP: ${code}`)),
    ...found([
      `認証コードは2026年12月31日まで有効です。\n\n${code}`, `認証コード（2026年11月28日発行）：${code}`, `인증번호는 2026년 12월 31일까지 유효합니다.\n\n${code}`, `验证码2026年11月28日10:12发送：${code}`,
      `รหัส OTP หมดอายุ 28 พ.ย. 2569 เวลา 10:22 รหัสคือ ${code}`,
    ]),
    ...['验证码：2026', '認証コード: 1405', 'Your code is 2569'].map((text): Row => [text.slice(-4), 'Acme', text]),
  ],
  'are none that has expired': [
    ...found([
      `The verification code 771204 has expired. Your new verification code is ${code}.`, `The code 771 204 that you asked for yesterday has expired. Your new code is ${code}.`, `Code 771204 is no longer valid. Your new code: ${code}`, `Der Code 771204 ist abgelaufen. Ihr neuer Code: ${code}`,
      `Le code 771204 a expiré. Votre nouveau code : ${code}`, `El código 771204 ya no es válido. Tu nuevo código: ${code}`, `Il codice 771204 è scaduto. Il tuo nuovo codice: ${code}`,
      `O código 771204 expirou. Seu novo código: ${code}`, `De code 771204 is verlopen. Je nieuwe code: ${code}`, `Kod 771204 wygasł. Twój nowy kod: ${code}`, `Код 771204 больше не действителен. Ваш новый код: ${code}`,
      `验证码771204已过期。您的新验证码：${code}`, `認証コード771204は無効になりました。新しい認証コード：${code}`, `인증번호 771204는 만료되었습니다. 새 인증번호: ${code}`,
      `Previous codes no longer work. Use this one instead: ${code}`,
    ], 'Your sign-in code'),
    ...found([`Your code ${code} expires in 10 minutes.`, `Der Code ${code} ist 10 Minuten gültig.`, `Il codice ${code} scade tra 10 minuti.`]),
  ],
  'are named first by words for a verification': [['QZXKLM,7714', 'Acme', 'Your verification code is QZXKLM. Booking 4418820 PIN 7714.']],
  'stand behind leaders': [
    ...found([`Order ............ 884120\nAccess code ...... ${code}\nStore ............ 1022`, `Order . . . . . : 884120\nAccess code . . . . : ${code}`, `Bestellung ...... 884120\nZugangscode ..... ${code}`]),
    ...none(['Total ....... 884120\nWe never ask for your code....', 'Code ...']),
  ],
  'are for pick-up and delivery, for payments and shares': [
    ...found([
      `取件码：${code}`, `取件码${code}，请及时取件`, `您的取货码是${code}`, `取餐码 ${code}`, `提货码：${code}`, `取貨碼：${code}`, `核验码：${code}`, `取貨編號：${code}`, `Présentez le code de retrait ${code} au livreur.`,
      `Donnez le code de livraison ${code} au livreur`, `Muestra el código de recogida ${code} en tienda`, `Comunica il codice di ritiro ${code} al corriere`, `Su clave de operación es ${code}.`,
      `Su clave de firma: ${code}`, `Su clave de operación para autorizar el pago de 349,90 € en TIENDA MOVIL SL (tarjeta terminada en 4417) es ${code}.`, `Бір реттік құпиясөз: ${code}`, `認証用PIN：${code}`,
      `ワンタイムトークン：${code}`, `トークン：${code}`,
    ]),
    ...['Die TAN für Ihre Überweisung über 412,80 EUR lautet: K7x4M2', 'Код для перевода 412,80 руб.: K7x4M2', 'Kod do przelewu na 412,80 PLN: K7x4M2', 'Le code pour votre virement de 412,80 EUR est : K7x4M2']
      .map((text): Row => ['K7x4M2', 'Acme', text]),
    ...none(['Use el código de pago 48291377 en OXXO.', 'Zahlung per Überweisung: Code 48291, Betrag 20 EUR', 'Pagamento com código 48291377 confirmado'], 'Rechnung'),
    ...none(['Le code promo pour 412,80 EUR est : K7x4M2', 'Gutscheincode für Ihre Zahlung über 412,80 EUR: K7x4M2']),
  ],
  'are named by a line or a cell above them that says their purpose': [
    ...found(purposes.flatMap((label) => [`${label}\n\n${code}`, `${label}\n${code}`, `${label}\t${code}`, `${label}: ${code}`]), 'Info'),
    ...none(['Problem: HTTP 5xx code 50312', 'Build code 1204 violations', 'Comprovante\nCódigo de autorização: 048201\nNSU 482019']),
    ...none(['Code de la route\n\n482193', 'Código da turma\t482193', 'Код подразделения\n770001', 'Código de tienda\n4821', 'Código de registro de la empresa 771204', 'Code temporaire de stationnement 771204', 'Код получателя 482913', 'Code de l’immeuble\t48213'], 'Info'),
  ],
  'are named in rarer languages, also as passwords for one use': found(rarer.flatMap((label) => [`${label}: ${code}`, `${label}\n\n${code}`]), 'Info'),
  'are asked for by verbs': found([
    'A belépéshez írja be: *', 'A fizetéshez adja meg: *', 'Írd be: *', 'יש להזין * לכניסה', 'כדי להתחבר יש להזין *', 'Enter the following number in the app: *',
    'Veuillez saisir le numéro suivant : *', 'Om te bevestigen, vul in: *', 'Skriv in * för att fortsätta.', 'Oppgi * for å fortsette.', 'Angiv * for at fortsætte.', 'Utilizați * pentru a confirma.',
    'Въведи *, за да продължиш.', 'Введи *, чтобы продолжить.', 'Використовуйте * для входу.', 'Користите * за пријаву.', 'Vpišite * za nadaljevanje.', 'يرجى إدخال * للتأكيد.', 'יש להקליד *.',
    'লগইন করতে * লিখুন।', 'உள்நுழைய * ஐ உள்ளிடவும்.', 'Sử dụng * để đăng nhập.', '*을 사용하여 로그인하세요.', '*を使ってログイン', 'Kasuta * sisselogimiseks.', 'Naudokite * prisijungimui.', 'Notaðu * til að skrá þig inn.',
    'Utilitza * per accedir.', 'Daxil olmaq üçün * daxil edin.', 'Кіру үшін * енгізіңіз.', 'Kirish uchun * kiriting.', 'Përdorni * për të hyrë.',
  ].map((text) => text.replace('*', code)), 'Info'),
  'are asked for by no verb for another number': none(['Utilizați 604815 puncte.', 'Sử dụng 604815 điểm', 'Naudokite 604815 taškų', 'Usa 604815 puntos', 'Użyj 604815 punktów', 'Использует 604815 баллов', 'Skriv in ditt kundnummer 604815', 'Vul in: postcode 604815'], 'Info'),
})
