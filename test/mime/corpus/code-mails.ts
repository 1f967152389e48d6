/** Mails and the codes that a person would find in them. */
export interface CodeMail { language: string; subject: string; text: string; codes: string[] }

const mail = (language: string, codes: string[], subject: string, text: string): CodeMail =>
  ({ language, subject, text, codes })

export const CODE_MAILS: CodeMail[] = [
  // English
  mail('en', ['482913'], 'Your verification code', `Hi Sam,

Your verification code is 482913. It expires in 10 minutes.

If you did not request this, ignore this mail.

Acme Inc., 548 Market St, San Francisco, CA 94104
© 2026 Acme`),
  mail('en', ['719204'], '719204 is your Northwind code', 'Enter it where you asked for it. Never share it.'),
  mail('en', ['730118'], 'Sign in to Lumen', 'Use 730118 to sign in to Lumen. Valid until 10:45.'),
  mail('en', ['553210'], 'G-553210 is your Google verification code', ''),
  mail('en', ['204857'], 'Confirm your email', `Please enter this code:

      204 857

This code was sent to you@example.org on 2026-01-02.`),
  mail('en', ['914220'], 'Log in', 'Your one-time passcode: 914-220\n'),
  mail('en', ['AB12-CD34'], 'Connect your device', 'Enter the code AB12-CD34 on your television.'),
  mail('en', ['x7K9Q2'], 'Sign-in code', `Here is your sign-in code:

x7K9Q2

It works once.`),
  mail('en', ['BCDF-GHJK'], 'Activate a device', `Your device code:

BCDF-GHJK

Type it at https://acme.example/device`),
  mail('en', ['4821'], 'Your PIN', 'Hello,\n\nyour PIN is 4821.\n\nOrder 55120098 is on its way.'),
  mail('en', ['60417'], 'Security alert', 'Someone tried to log in from 203.0.113.7. Security code: 60417'),
  mail('en', ['482916'], 'Login', '| 4 8 2 9 1 6 |\n\nis the code to log in. It is valid for 15 minutes.'),
  mail('en', ['88213377'], 'Two-factor authentication',
    'Your OTP is 88213377. Call +1 555 123 4567 for help.'),
  mail('en', ['350921'], 'Verify your account', `350921

Enter the number above to verify your account.`),
  mail('en', ['2026'], 'Your code', 'Your access code is 2026.\n\n© 2026 Acme Inc.'),
  mail('en', ['118904'], 'Acme', '> Verification code: *118904*\n\nOrder total: $1,299.00'),
  mail('en', ['662190'], 'Payment approval', 'Approve the payment of $49.99 to Shop 24 with code 662190.'),
  mail('en', ['991204'], 'Reset your password', `We got a request to reset your password.

Your reset code:
991204

Phone support: 0800 123456`),
  mail('en', ['130577'], '[Acme] Please verify your device', `A sign in attempt requires further verification.

Device: Chrome 141.0.7390 on Windows 11
Verification code: 130577

If you did not attempt to sign in, change your password: https://acme.example/settings/482910`),
  mail('en', ['481512'], 'Meeting PIN', 'Meeting PIN: 481 512\nDate: 12/05/2026 10:30'),
  mail('en', ['A1B2C3'], 'Your login code: A1B2C3', 'Thanks for using Acme.'),
  mail('en', ['JXQ-4TR'], 'Lumen confirmation code: JXQ-4TR', `Confirm your email address
Your confirmation code is below. Enter it in your open browser window.

JXQ-4TR

Lumen Ltd, 500 Example Street, San Francisco, CA 94105 USA`),
  mail('en', ['R7KQ2'], 'Guard', `Here is the Guard code you need to log in to account jane1987:

R7KQ2

This mail was generated because of a login attempt from 203.0.113.7 (DE).`),
  mail('en', ['229910'], 'OTP',
    'OTP 229910 for txn of INR 4,999.00 at Acme on card ending 4821. Valid for 10 mins.'),
  mail('en', ['918402'], 'Acme', '918 402 – Your Acme Verification Code'),
  mail('en', ['123456'], 'Your launch code', `Continue signing up by entering the code below:

123456

Not able to enter the code? Open https://acme.example/users/x/emails/1/confirm/998877`),
  // German
  mail('de', ['003817'], 'Bank',
    'Verwenden Sie 003817 als Sicherheitscode für Ihre Zahlung über 1.249,00 EUR am 02.01.2026 um 10:33.'),
  mail('de', ['774411'], 'Einmalpasswort', 'Ihr Einmalpasswort\n\n774411\n\ngültig bis 10:45 Uhr'),
  mail('de', ['593104'], 'Ihr Bestätigungscode',
    'Guten Tag,\n\nIhr Bestätigungscode lautet: 593104\n\nEr gilt 10 Minuten.'),
  mail('de', ['7204'], 'TAN', 'Ihre TAN für die Überweisung von 249,90 € ist 7204.'),
  mail('de', ['318820'], 'Anmeldung', '318820 ist Ihr Einmalcode. Rechnung 20260117 liegt bei.'),
  mail('de', ['445566'], 'Anmeldung bei Nordlicht', `Geben Sie diesen Code ein:

445 566

Musterstraße 12, 10115 Berlin, Tel. 030 1234567`),
  // French
  mail('fr', ['820331'], 'Votre code de vérification',
    'Bonjour,\n\nVotre code de vérification est le 820331. Il expire dans 10 minutes.'),
  mail('fr', ['640127'], 'Connexion',
    'Saisissez le code suivant :\n\n640127\n\n12 rue de la Paix, 75002 Paris'),
  mail('fr', ['5519'], 'Code', 'Voici votre code à usage unique : 5519.'),
  // Spanish
  mail('es', ['274810'], 'Tu código de verificación',
    'Hola:\n\nTu código de verificación es 274810. Caduca en 5 minutos.'),
  mail('es', ['903377'], 'Acceso', 'Usa 903377 para iniciar sesión.\n\nCalle Mayor 5, 28013 Madrid'),
  mail('es', ['61208'], 'Clave', 'Su clave de un solo uso: 61208'),
  // Portuguese
  mail('pt', ['118230'], 'Código de segurança', 'Olá! Seu código de segurança é 118230. Não compartilhe.'),
  mail('pt', ['775401'], 'Confirme seu e-mail',
    'Digite o código abaixo:\n\n775401\n\nCEP 01310-100, São Paulo'),
  // Italian
  mail('it', ['402918'], 'Codice di verifica', 'Ciao, il tuo codice di verifica è 402918.'),
  mail('it', ['880126'], 'Accesso', '880126 è il tuo codice di accesso. Totale: 12,50 €'),
  // Dutch
  mail('nl', ['671904'], 'Je verificatiecode', 'Je verificatiecode is 671904. Deel deze met niemand.'),
  mail('nl', ['3381'], 'Pincode', 'Uw eenmalige pincode: 3381'),
  // Polish, Czech
  mail('pl', ['209471'], 'Kod weryfikacyjny', 'Twój kod weryfikacyjny to 209471. Jest ważny 10 minut.'),
  mail('pl', ['551832'], 'Logowanie', 'Podaj ten kod, aby się zalogować:\n\n551832'),
  mail('cs', ['648205'], 'Ověřovací kód', 'Váš ověřovací kód je 648205. Platí 10 minut.'),
  // Nordic
  mail('sv', ['730044'], 'Din engångskod', 'Din engångskod är 730044. Den gäller i tio minuter.'),
  mail('da', ['812655'], 'Din kode', 'Din bekræftelseskode er 812655.'),
  mail('no', ['264190'], 'Engangskode', 'Engangskoden din er: 264190'),
  mail('fi', ['905513'], 'Vahvistuskoodi', 'Vahvistuskoodisi on 905513. Koodi on voimassa 10 minuuttia.'),
  // Turkish, Hungarian, Romanian, Greek
  mail('tr', ['387201'], 'Doğrulama kodu', 'Doğrulama kodunuz: 387201. Bu kodu kimseyle paylaşmayın.'),
  mail('hu', ['120984'], 'Ellenőrző kód', 'Az Ön ellenőrző kódja: 120984'),
  mail('ro', ['459032'], 'Codul de verificare', 'Codul tău de verificare este 459032.'),
  mail('el', ['683720'], 'Κωδικός επαλήθευσης', 'Ο κωδικός επαλήθευσης είναι 683720.'),
  // Russian, Ukrainian
  mail('ru', ['571903'], 'Код подтверждения',
    'Здравствуйте!\n\nВаш код подтверждения: 571903. Никому его не сообщайте.'),
  mail('ru', ['8840'], 'Вход', 'Введите код 8840 для входа. Сумма заказа 1 299 руб.'),
  mail('uk', ['290356'], 'Код', 'Ваш код підтвердження — 290356'),
  // Chinese
  mail('zh', ['640182'], '验证码', '您的验证码是640182，5分钟内有效，请勿泄露。'),
  mail('zh', ['297461'], '验证码', '【某某科技】您的验证码为:297461,5分钟内有效。客服电话 400-820-8820'),
  mail('zh', ['5538'], '登入驗證', '您的驗證碼:5538,10分鐘內有效。'),
  mail('zh', ['735091'], '【示例】登录验证', '您的验证码为：７３５０９１。如非本人操作，请致电400-123-4567。'),
  mail('zh-TW', ['284410'], '驗證碼', '您的驗證碼：\n\n284410\n\n有效期限10分鐘'),
  // Japanese
  mail('ja', ['519283'], '認証コードのお知らせ', '認証コードは 519283 です。有効期限は10分です。'),
  mail('ja', ['807245'], 'ログイン', '確認コード：８０７２４５\n\n〒100-0001 東京都千代田区 電話 03-1234-5678'),
  // Korean
  mail('ko', ['362084'], '인증번호 안내', '인증번호는 362084입니다. 3분 이내에 입력해 주세요.'),
  mail('ko', ['918273'], '[예시] 로그인', '인증 코드\n\n918273\n\n문의 02-123-4567'),
  // Arabic, Persian, Hebrew
  mail('ar', ['482913'], 'رمز التحقق', 'رمز التحقق الخاص بك هو ٤٨٢٩١٣ وهو صالح لمدة ١٠ دقائق.'),
  mail('ar', ['660217'], 'تسجيل الدخول', 'رمز الدخول:\n\n660217'),
  mail('fa', ['593018'], 'کد تایید', 'کد تایید شما: ۵۹۳۰۱۸'),
  mail('he', ['740296'], 'קוד אימות', 'קוד האימות שלך הוא 740296.'),
  // Hindi, Thai, Vietnamese, Indonesian
  mail('hi', ['318204'], 'सत्यापन कोड', 'आपका सत्यापन कोड ३१८२०४ है।'),
  mail('th', ['450917'], 'รหัสยืนยัน', 'รหัสยืนยันของคุณคือ 450917'),
  mail('vi', ['826410'], 'Mã xác minh', 'Mã xác minh của bạn là 826410.'),
  mail('id', ['173905'], 'Kode verifikasi', 'Kode verifikasi Anda adalah 173905.'),

  // Mails without a code
  mail('en', [], 'Your order 48291345', `Thanks for your order 48291345!

1 x Lamp   $1,299.00
Total      $1,299.00

Tracking number: 1Z999AA10123456784
Acme Inc., 548 Market St, San Francisco, CA 94104
© 2026 Acme. Call us: +1 555 123 4567`),
  mail('en', [], 'Invoice 20260117', 'Invoice number: 20260117\nDue: 2026-02-01\nAmount: 4800 EUR\nVAT: 19%'),
  mail('en', [], 'Welcome', 'Log in at https://acme.example/login?token=482913 before 12/31/2026, 23:59.'),
  mail('en', [], 'Save 25% with promo code SAVE2026',
    'Use the promo code SAVE2026 at checkout. Ends 10/12/2026.'),
  mail('en', [], 'New sign-in to your account', `We noticed a new sign-in.

Device: Firefox 144.0.1, Windows 11 22631
IP address: 203.0.113.77
Time: 2026-01-02 10:33:21 UTC`),
  mail('en', [], 'Release 4.18.2026',
    'Version 24.21.0 fixes error code 404512. Build 202601 uses colour #a1b2c3 and #123456.'),
  mail('en', [], 'Support ticket 993412',
    'Your ticket 993412 was updated. Hotline: 0800 123456. Reference: 55821.'),
  mail('en', [], 'Your flight', 'Flight AB1234 leaves at 10:45 from gate 12. Booking reference: X7K9Q2.'),
  mail('en', [], 'Newsletter',
    'In 2025 we had 125000 users in 4000 cities; 2026 will be better.\n\n1600 Amphitheatre Pkwy, 94043'),
  mail('en', [], 'Statistics', 'Source code review: 4821 lines in 128 files. ZIP code 94107.'),
  mail('en', [], 'Your gift card', 'Gift card code: ABCD-1234-EFGH. Redeem before 2027.'),
  mail('en', [], 'Card ending 4821',
    'A payment of 49.99 EUR with your card ending in 4821 was made on 02/01/2026.'),
  mail('en', [], 'Your password was changed',
    'It was changed on 2 January 2026 at 10:33. If this was not you, call 1-800-555-1234.'),
  mail('en', [], 'Meeting invitation', 'Dial-in: +49 30 1234 5678, Meeting ID: 812 3456 7890'),
  mail('en', [], 'Weekly digest',
    '#48291 fixed the login bug; PR 12345 merged; the sign in page loads 2000 times faster.'),
  mail('de', [], 'Bestätigung Ihrer Anmeldung',
    'Bitte bestätigen Sie Ihre Anmeldung. AGB Stand 2026. Postfach 120345, 53045 Bonn. HRB 123456 B'),
  mail('de', [], 'Ihre Bestellung 48291345', `Bestellnummer: 48291345
Summe: 1.299,00 €
Lieferung an: Musterstraße 12, 10115 Berlin
Gutscheincode: HERBST25 · Tel. 030 1234567`),
  mail('fr', [], 'Votre facture', 'Facture n° 48291345 du 02/01/2026, 49,99 €. Code postal 75002.'),
  mail('es', [], 'Tu pedido',
    'Pedido 48291345. Total 1.299,00 €. Código postal 28013. Teléfono 912 345 678.'),
  mail('ru', [], 'Ваш заказ',
    'Заказ № 48291345 на сумму 1 299 руб. Промокод ЛЕТО2026. Телефон 8 800 555 35 35.'),
  mail('zh', [], '订单通知', '您的订单号 48291345 已发货，共计¥1299.00。客服电话 400-123-4567。'),
  mail('ja', [], 'ご注文の確認', 'ご注文番号：48291345\n合計 12,800円\n〒100-0001 東京都'),
  mail('ko', [], '주문 안내', '주문번호 48291345, 합계 12,800원, 2026년 1월 2일'),
]
