/** Names of senders with words that are labels of other numbers, ends of sentences, digits, or random letters. */
export const SENDERS = [
  'Line', 'Booking.com', 'Ticketmaster', 'TicketSwap', 'OrderFlow', 'HSBC', 'SNCF', 'KPMG', 'H&M', 'AT&T', 'Yahoo!', 'Acme Inc.', 'J.P. Morgan', 'E*TRADE',
  '1Password', '7-Eleven', '23andMe', 'Windows 11', 'Web3', 'O2', 'Level 3 Communications', 'Call of Duty', 'Case.one', 'Port Authority', 'Item Market',
  'Gate.io', 'Model S', 'Version 2', 'Order.co', 'Shipment Pro', 'Invoice Ninja', 'St. George', 'Dr. Oetker', 'T-Mobile', 'N26', 'Telegram', 'Proton',
  'Linear', 'Runway', 'Portal', 'Ring', 'Points Plus', 'C&A', "Ben & Jerry's", '24 Hour Fitness', 'Forever 21', 'Line 6', 'Build.com', 'Process Street',
  'Building Society',
]

/** Sentences of senders. `*` is the name. */
export const SENTENCES_OF_SENDERS = [
  'Your * code is 482913', 'Your * verification code: 482913', 'Your verification code for * is 482913', 'Your verification code for *: 482913',
  '482913 is your * verification code', '*: your code is 482913', '[*] Your login code is 482913', 'Use 482913 as your * login code.',
  'Enter code 482913 to sign in to *.', 'Hi Ann,\n\nYour one-time password for * is:\n\n482913\n\nThe * team', 'Ihr Code für * lautet 482913.',
  'Votre code * est 482913', 'Tu código de * es 482913', 'Je code voor * is 482913', 'Seu código do *: 482913', 'Twój kod do *: 482913',
  'Ваш код для *: 482913', '*の認証コード: 482913', '您的*验证码是482913', '* 인증번호 [482913]',
]

/** Mails with the code 482913. */
export const PHRASES = [
  // full stops within a sentence
  'Dear customer, your OTP for payment of Rs. 1204.00 at Shop is 482913.', 'Your one-time code for Mr. Smith is 482913', 'Ihr Code für Nr. 12 lautet 482913',
  'Ihr Code z. B. für die App lautet: 482913', 'Код для оплаты 1200 руб. в магазине: 482913', 'Your code for Booking.com B.V. is 482913',
  'Kod SMS nr 12 z dn. 27-11-2026: 482913', 'TAN Nr. 12: 482913', 'Code no. 3: 482913',
  // numbers of which the end is shown
  'Your OTP for txn on HDFC Bank card x4821 is 482913', 'OTP for a/c no. XXXX4821 is 482913', 'Ihre TAN für den Auftrag auf Konto *4821 lautet: 482913',
  // forms
  'OTP=482913', 'code=482913', 'รหัส OTP คือ 482913 (รหัสอ้างอิง: KXQP)', 'Your code is 482913 (Ref code: KXQP)', '<p>Hello</p><p>Your code is <b>482913</b></p>',
  '<p>Your code</p><div><span>482913</span><button>Copy</button></div>', '<table><tr><td>Your code is</td></tr><tr><td><strong>482913</strong></td></tr></table>',
  // letters with their marks apart
  ...['Mã xác nhận của bạn là 482913', 'Su código de verificación es 482913', '인증번호 482913 를 입력하세요', '認証コード: 482913 (ワンタイムパスワード)',
    'Votre code de vérification : 482913'].map((text) => text.normalize('NFD')),
  // words
  'Твој код је 482913', 'Ma xac nhan cua ban la 482913', 'Ma xac thuc: 482913', 'Təsdiq şifrəniz: 482913', '您的激活码是482913', '注册码：482913', '授权码 482913',
  '识别码：482913', '随机码：482913', 'Код доступа 482913', 'Код активации 482913', 'Код авторизации 482913', 'Код регистрации 482913', 'Код сброса пароля 482913',
  'Votre numéro de vérification : 482913', 'Su número de verificación es 482913', 'numero di verifica: 482913', 'Verifizierungsnummer: 482913',
  'Sicherheitsnummer: 482913', 'Votre mot de passe provisoire : 482913', 'La tua password provvisoria è 482913', '인증 번호: 482913', '확인 번호 482913',
  '[Acme] 인증 번호는 482913 입니다', 'رقم التحقق الخاص بك هو 482913',
  // an article before the number
  'O seu código é o 482913', 'El código es el 482913', 'Votre code est le 482913', 'Der Code ist der 482913',
  // words for the purpose of a code that are labels of other numbers, or begin as these
  'Kod do logowania: 482913', 'Kod do rejestracji: 482913', 'Hasło do logowania: 482913', 'Код для регистрации: 482913', 'Код регистрации: 482913',
  'Kód pro přihlášení: 482913', 'Kód pro dokončení registrace: 482913', 'Ihr Code für das Portal: 482913', 'Votre code pour le portail : 482913',
  'Kod za prijavu: 482913', 'Koda za prijavo: 482913', 'Kód pre prístup: 482913', 'Code to proceed: 482913', 'Here is the code for your request: 482913',
  'Code for your order: 482913', 'Votre code pour votre commande: 482913', 'Código de verificación para tu pedido: 482913', 'Kod do zamówienia: 482913',
  'Код для входа в Line: 482913', 'Votre code HDFC Bank est 482913', 'Your code for signing in to Delta Air Lines is 482913',
  ...['Code sent via email:', 'Je ontvangt deze code via Acme', 'Ihr Code via SMS:', 'Il codice inviato via e-mail è:', 'Your code to sign in to your Acme Inc. account:'].map((line) => `${line}\n\n482913`),
  'Your OTP is 482913.Valid for 10 minutes.', "Your code's 482913", 'HSBC\n\nYour one-time passcode is\n\n482913\n\nHSBC UK Bank plc', 'SNCF Connect\n\nVotre code de vérification :\n\n482913\n\nSNCF Voyageurs SA, 93200 Saint-Denis',
  // words behind the number that begin as, or are, the name of a street
  'Share OTP 482913 with the driver.', 'Share code 482913 with our driver', 'Share code 482913 with the staff to collect your parcel.',
  'Share your code 482913 with the store.', 'Enter the code 482913 and then start the app.', 'Use code 482913 from the drop-down', '482913 your Square verification code',
  // beside a percentage, a sale that is confirmed, or an advertisement
  'TAN 482913 für Festgeld zu 3,5% p.a.', 'Your loan at 4.9% APR: sign with code 482913', 'Withdrawal of 0.5 BTC (fee 1%). Code: 482913', 'Step 1 of 2 (50%): enter code 482913',
  'Use code 482913 to log in and get your discount.', 'Enter 482913 at checkout to verify it’s you.', 'To confirm your purchase at checkout enter the code 482913.',
  'Confirm sale of 10 shares with code 482913', 'Your code to confirm the sale is 482913', 'Um Ihr Angebot anzunehmen, geben Sie den Code 482913 ein.',
  'Code zum Abruf Ihres Angebots: 482913', 'Código para firmar la oferta: 482913', 'Kod odbioru: 482913\nRabat 10% na kolejną przesyłkę',
  'Your Discount Bank code is 482913', 'Your Promo.com code: 482913',
  ...['Get 10% off your first order with WELCOME10', 'Black Friday: up to 50% off everything!', 'Interest of 4.5% APY on savings', 'Apply your voucher in the cart', 'You are 80% done'].map((row) =>
    `<table><tr><td>Enter this code to sign in:</td></tr><tr><td>482913</td></tr><tr><td>${row}</td></tr></table>`),
  // below the name of the sender or a heading, with the word for a code in the sentence below
  ...['This is your verification code.', 'Enter this code to sign in.', 'Verification code', 'The code expires in 10 minutes.', 'Your code expires in 10 minutes.', 'Do not share this code with anyone.',
    'Este código caduca en 10 minutos', 'Der Code ist 10 Minuten gültig.', 'If you did not request a security code, ignore this mail.'].map((line) => `<h1>One more step</h1><p>482913</p><p>${line}</p>`),
  '<p>Hi Jane,</p><p>482913</p><p>Never share your code.</p>', '<p>Here is your code for your order</p><p>482913</p>', '<p>Confirm your order</p><p>482913</p><p>Enter this code in the app.</p>',
  // without a space, and with other signs around the number
  ...['.DO NOT SHARE', '.OTP valid for 5 mins', '.do not share', '.5 mins validity', '.Please do not share', '-Acme'].map((rest) => `Your OTP is 482913${rest}`),
  'Your OTP is-482913', 'Code#482913', 'Code # 482913', 'verification_code: 482913', 'otp_code: 482913', 'mPIN: 482913', 'OTC: 482913', '2FA: 482913', 'Sign-in: 482913',
  'Activation key: 482913', 'Captcha: 482913', 'PW: 482913', 'Secret number: 482913',
  // other numbers behind the code
  'Code: 482913 | IP: 203.0.113.9 | ID: 118822', 'Your code is 482913\n118822 is your ticket', 'Pickup code 482913 at store 1042',
  // requests
  'We heard you need a password reset. Type this in the app: 482913', 'Bitte bestätigen Sie Ihre Anmeldung mit der Zahl 482913.',
  // words of shops
  'Enter 482913 in order to sign in', 'Enter 482913 on the official site to sign in', 'Enter 482913 to sign in offline',
  'Geben Sie 482913 auf der offiziellen Seite ein, um sich anzumelden', 'Enter 482913 in the browser extension to sign in.',
  'Your Deutsche Bank code is 482913', 'Your Apple Store code is 482913', 'Your Epic Games Store code is 482913', 'Ihr Deutsche Bank Code lautet 482913.', 'Your Discount Tire verification code is 482913', 'Your Commerzbank code: 482913',
  // a sentence that goes on behind the code, in words that a street may have
  'Share OTP 482913 with the driver.', 'Share code 482913 with our driver', 'Share code 482913 with the staff to collect your parcel.',
  'Share your code 482913 with the store.', 'Enter the code 482913 and then start the app.', 'Your code is 482913 when you start.',
  'Use code 482913 from the drop-down', '482913 your Square verification code', 'Your code is 482913\nGoogle Drive',
  // a button beside the code
  ...['Copy code', 'Copy to clipboard', 'Code kopieren', 'In die Zwischenablage kopieren', 'Copier le code', 'Copiar código', 'Copia codice', 'コードをコピー', '复制验证码',
    '📋 Copy'].flatMap((words) => [`<div>Your verification code</div><div><span>482913</span><a href="https://acme.example/copy" style="background:#eee">${words}</a></div>`,
    `<p>Your verification code</p><table><tr><td>482913</td><td>${words}</td></tr></table>`]),
  // abbreviations and dates
  'Codul dvs. este 482913', 'Codul Dvs. de verificare este 482913', 'Codul dvs. de autentificare: 482913', 'Kod dla Acme Sp. z o.o.: 482913', 'Your code (exp. 10 min.) is 482913',
  'Ihr Code vom 27. November 2026 lautet 482913', 'Váš kód ze dne 27. 11. 2026 je 482913',
  // the purpose of the code without a colon
  'Código de confirmação 482913', 'Código de confirmação 482 913', 'Código de confirmação 482913 válido por 5 min', 'Código de ativação 482913', 'Código de acesso 482913',
  'Código de validação 482913', 'Code de confirmation 482913', "Code d'activation 482913", 'Codice di conferma 482913', 'Código de confirmación 482913',
  'Confirmation code 482913', 'Hi Jane,\n\nConfirmation code – 482913',
  // the thing that is confirmed with it, which has a number, too
  ...['Code to confirm your phone number:', 'Your code to confirm your booking is', 'Your code to complete your reservation is', 'Code to confirm your order:',
    'Code to view your invoice:', 'Your code to track your ticket:', 'Your code to verify your phone number is', 'Use this code to confirm your phone number:\n\n',
    'Code to log in with your account number\n\n', 'קוד האימות לחשבון:', 'הקוד לכניסה לחשבון:', 'Mã đăng nhập tài khoản:'].map((text) => `${text} 482913`),
  // inflected words
  'Kirjaudu koodilla 482913.', 'Käytä koodia 482913 kirjautumiseen.', 'Vahvista sähköpostisi tällä koodilla: 482913', 'Jelentkezzen be a 482913 kóddal.',
  'Használd a 482913-as kódot a belépéshez', 'Az alábbi kóddal tud belépni:\n\n482913', '482913 koduyla giriş yapın.', 'Logige sisse koodiga 482913',
  'Parola temporară: 482913', '您的PIN码:482913', '请使用 482913 完成登录',
  // numbers and keys for signing in
  'Authentication number: 482913', 'Your temporary access number is 482913', 'セキュリティ番号:482913', 'ワンタイムキー:482913', 'Sign in with 482913',
  // digits in boxes above a sentence that begins with a single letter or digit
  ...['O código é válido por 10 minutos.', 'A kód 10 percig érvényes.', 'A code is valid for 10 minutes.', '5 minutes left', 'X | Facebook'].flatMap((words) => [
    `<p>Your code</p><p>4 8 2 9 1 3</p><p>${words}</p>`, `<p>Your code</p>${[...'482913'].map((digit) => `<div>${digit}</div>`).join('')}<p>${words}</p>`]),
  // no space behind the code, or a hyphen
  'Your OTP is 482913.DO NOT SHARE', 'Your OTP is 482913.OTP valid for 5 mins', 'Your OTP is 482913-Acme', 'Your OTP is-482913',
  // a percentage that is no discount, and a purchase that is confirmed
  'TAN 482913 für Festgeld zu 3,5% p.a.', 'Sign your contract with the code 482913 (interest 3.5%)', 'Your loan at 4.9% APR: sign with code 482913',
  'Withdrawal of 0.5 BTC (fee 1%). Code: 482913', 'Step 1 of 2 (50%): enter code 482913', 'Hi,\nUse code 482913 to log in and get your discount.',
  'To confirm your purchase at checkout enter the code 482913.', 'Your code to confirm the sale is 482913',
  'Your confirmation code: 482913\nYour 10% welcome discount is waiting.',
  // the name of the sender above the number, and a sentence below that is about it
  ...['Enter this code to sign in.', 'is your code', 'Your verification code', 'The code is valid for 10 minutes.', 'Your code expires soon.', 'Never share this code.',
    'Dieser Code ist 10 Minuten gültig.', 'O código expira em 10 minutos.', 'Ne partagez ce code avec personne.', 'Ten kod jest ważny 10 minut.',
    'Код действует 10 минут.', 'コードは10分間有効です。'].map((words) => `Acme\n\n482913\n\n${words}`),
  // digits to enter
  'Use the following 6 digits to sign in: 482913', 'Enter the following to reset your password: 482913', 'Vul deze 6 cijfers in om in te loggen: 482 913',
  'Voer de volgende 6 cijfers in: 482913', 'Typ deze cijfers over: 482913', 'Bitte die 6 Ziffern 482913 eintragen, um die Anmeldung abzuschließen',
  'Bitte tragen Sie die folgenden Ziffern ein, um sich anzumelden:\n\n482913', 'Zum Einloggen bitte folgende Ziffernfolge eingeben: 48 29 13',
  'Ingresa estos dígitos para verificar tu cuenta: 482913', 'Insira os 6 dígitos: 482913', 'أدخل الأرقام التالية: 482913', 'أدخل الرقم 482913 لإكمال تسجيل الدخول',
  'הקישו את המספר 482913', 'ใส่ตัวเลข 482913 เพื่อยืนยัน', 'ご本人確認のため、482913を画面に入力してください',
]

/** Lines below a code. */
const ADVERTISEMENTS = ['Get 10% off your first order with WELCOME10', 'Black Friday: up to 50% off everything!', 'Earn 5% back on every purchase',
  'Interest of 4.5% APY on savings', 'Apply your voucher in the cart', 'You are 80% done']

/** Mails by the code that they have. */
export const PHRASES_OF_CODES: Record<string, string[]> = {
  // letters of a generator, which may be words, to which a label leads
  ...Object.fromEntries(['hFkZGdBwQt', 'kQzBtW', 'hLMNUUAV', 'kQzb', 'GoTuBe', 'TcDhub', 'AZMCU', 'TIGER', 'BVA MA3', 'BVAM MA3X', 'BVA MAX', 'tcjbdl', 'abcde1'].map((code) => [code, [
    `Your verification code is ${code}. It expires in 10 minutes.`, `Your verification code: ${code}\n`, `Your verification code\n\n${code}\n\nThanks`,
    `Hi Jane,\n\nPlease enter this code to verify your email:\n\n${code}\n\nThis code expires in 10 minutes.`,
  ]])),
  'bavoma': ['Your verification code: bavoma', 'Enter this code to sign in:\n\nbavoma\n'],
  'hVkZGdBwQt': ['Your code is hVkZGdBwQt', 'hVkZGdBwQt is your code.', 'Use code hVkZGdBwQt to log in.', 'Ihr Code lautet hVkZGdBwQt.', '您的验证码是 hVkZGdBwQt'],
  '1987': ['Enter the code 1987 to sign in.', 'Для входа введите 1987', 'Masukkan 1987 untuk masuk', 'Use code 1987 to log in.', '1987 is your code.', '1987 is your verification code.', '验证码1987，5分钟内有效', 'Kodunuz 1987.'],
  'K7QF29': ['K7QF29 is your verification code.', 'K7QF29 is your code.', 'K7QF29 ist Ihr Bestätigungscode', 'K7QF29 是您的验证码'],
  '482913': ['認証コードは4 8 2 9 1 3です。', '인증번호는 4 8 2 9 1 3입니다.'],
  '4829': ['Enter these 4 digits to confirm:\n\n4829', 'Enter the 4 digits below\n\n4829', 'Share PIN 4829 with the driver.'],
  '0482': ['次の4桁の番号をPayPayアプリに入力してください。\n\n0482'],
  'K7Q9D2': [
    ...['Get 10% off your first order', 'Free shipping on orders over $50', 'New: save big with our app', 'You are 80% done'].flatMap((row) =>
      [`Enter this code to sign in:\n\nK7Q9D2\n\n${row}`, `Your activation code\nK7Q9D2\n${row}`]),
    ...ADVERTISEMENTS.map((words) => `<p>Enter this code to sign in to your account:</p><p>K7Q9D2</p><p>${words}</p>`),
  ],
  '571038': ADVERTISEMENTS.map((words) => `<table><tr><td>Enter this code to sign in:</td></tr><tr><td>571038</td></tr><tr><td>${words}</td></tr></table>`),
  '739204': ['Your old code 111111 no longer works. Your new code is 739204.', 'Your previous code 111111 has expired. Your new code is 739204.'],
  'kX9tQ2': ['Parola dvs. temporară este kX9tQ2'],
}

/** Mails without a code. */
export const OTHER_PHRASES = [
  'The login fails on staging: the server returns 401 with code 10053.', 'OTP Bank Nyrt., 1051 Budapest, Nádor utca 16.', 'We received your request 48213377 about your verification code.', 'Your order 48213377 was shipped. code: none',
  'Thanks for your order. 48213377 is on its way! is it late? call us', 'Your code was sent. Card x4821 was charged.', 'HSBC, HDFC and KPMG sent you a code',
  'HSBC will never ask for your security code.', 'Never share your HSBC security code with anyone.',
  'A code such as 123456 is sent', 'Thank you for order 482913. Use code SAVE20 next time.', 'Sign-ups: 482913', 'Order: 482913',
  'Ticket 482913 was closed. Your code follows.', 'New logins\n482913\nCodes sent\n11223', 'Verified users: 482913', 'Registrace: 482913', 'Line: 482913',
  ...['Session', 'Device', 'Account', 'Transaction ID', 'Login ID', 'Incident', 'Store', 'Balance', 'Phone'].map((label) =>
    `Please verify your email address with the button below.\n\n${label}\n482913\n\nThe link is valid for 24 hours.`),
  ...['Device', 'Points', 'Branch'].map((label) => `Sign-in details\n\n${label}\t482913\nTime\t10:35\n\nNever share your verification code.`),
  // numbers in a paragraph of their own below a label, above a sentence about another code
  ...['Your order', 'Booking reference', 'Username', 'Transaction ID', 'Balance', 'Your customer ID', 'Invoice', 'Points', 'Aktenzeichen', 'Localizador', 'Prenotazione', 'Twoje zamówienie'].flatMap((label) =>
    ['For your security, we will never ask for your password or a one-time code.', 'You will get a verification code by SMS to check in online.', 'Use it to log in to your trip. We will never ask for your PIN.',
      'Your password will follow by post.', 'Never share your PIN or password with anyone.', 'Your PIN comes by post.', 'Scan the code to pay.', 'Log in with your PIN to redeem them.',
      'Bitte melden Sie sich mit Ihrer PIN an.', 'Nunca te pediremos tu contraseña ni un código.', 'Non ti chiederemo mai la password o un codice.', 'Nigdy nie prosimy o hasło ani kod.']
      .flatMap((line) => ['482913', 'KX9TQ2'].map((number) => `<p>${label}</p><p>${number}</p><p>${line}</p>`))),
  ...['Reason', 'Decline', 'Failure', 'Rejection', 'Refund', 'Cancellation', 'Category', 'Merchant category', 'Industry', 'Occupation', 'Diagnostic', 'Fault', 'Trouble', 'Stop',
    'Exception', 'Service', 'Policy', 'Plan', 'Claim', 'Agent', 'Job', 'Activity', 'Cost', 'Unit', 'GL', 'Ledger', 'Fee', 'Vehicle', 'Paint', 'Batch', 'Lot', 'Warehouse', 'Terminal', 'Seat',
    'Class'].map((kind) => `Hello,\n\nyour request was handled.\n${kind} code: 1042\nThanks`),
  'A code such as the one you see in your app changes. RFC 6238 (2011) describes TOTP.', 'Text STOP to 32665 to end login codes',
  'vscode#739204', 'microsoft/vscode#4829', 'status_code: 4829', 'Your code is in 482913.pdf now', 'Get the code from 4829.example.com', 'Your code: see file 482913.PDF',
  'The code is JavaScript.', 'Code: GitHub\nDocs: ReadTheDocs', 'Get the code:\n\nGitHub\n\nDocs', 'Sign in to see the code:\n\nGitHub\n\nBitBucket', 'We sent you a code.\n\nMcDonald',
  'How to verify code: LeetCode and HackerRank', 'YOUR VERIFICATION CODE IS VALID FOR TEN MINUTES', 'Never share your verification code.\n\nACME', 'Your verification code was sent to PayPal',
  'Your verification code is required. Enter it in WhatsApp.', 'Verification code: NONE', 'Verification code: pending', 'Verification code: REQUIRED', 'Verification code:\n\nSIGN IN', 'Code: TOP 100',
  'Enter code 482913 to sign up and get 20% off', 'Use code 4829\nat checkout for 20% off', 'Your code: 482913 – 10% discount on everything', 'Code: TREAT25\n20% off until Sunday',
  'Use code SAVE20X when you sign in for 20% off', 'Log in now and get 20% off.\nYour code:\nSUMMER24', 'Confirm your order with code TREAT25 and save 20%',
  'Your bank code is 482913', 'Bank code: 482913', 'Your promo code is 482913', 'Enter 482913 at checkout to sign up and save',
  'Your code is waiting at 4829 Market Street.', 'Code: see 2261 Old Mill Road, Springfield', '您的電子發票號碼 AB-12345678 已開立，金額 NT$1,280，隨機碼 4829。',
  'A code was sent to your phone number: 482913', 'The code to log in was sent to your phone number: 482913', 'Use the code to log in. Account number: 482913',
  'To confirm your order: 482913', 'Enter your 8-digit account number: 48291377', 'Your confirmation number is 482913', '下4桁: 4829',
  ...['Enter the last 4 digits of your card: 4829', 'Geben Sie die letzten 4 Ziffern der Karte ein:\n\n4829', 'カード番号の下4桁を入力:4829'],
  'Use code 4829\nGet 20% off', '20% off with code 48291', 'Text STOP to 32665 to end login codes', 'Text HELP to 32665 for login codes',
  'A code such as the one you see in your app changes every 30 seconds. RFC 6238 (2011) describes TOTP.',
  '<table><tr><td>Password resets</td><td>1042</td></tr><tr><td>OTP sent</td><td>48291</td></tr><tr><td>OTP success</td><td>39102</td></tr></table>',
  // codes of other kinds
  ...['Reason', 'Decline', 'Failure', 'Rejection', 'Refund', 'Cancellation', 'Category', 'Merchant category', 'Industry', 'Occupation', 'Diagnostic', 'Fault', 'Trouble', 'Stop',
    'Exception', 'Service', 'Policy', 'Plan', 'Claim', 'Agent', 'Job', 'Activity', 'Cost', 'Unit', 'GL', 'Ledger', 'Fee', 'Vehicle', 'Paint', 'Batch', 'Lot', 'Warehouse',
    'Terminal', 'Seat', 'Class'].map((kind) => `Hello,\n\nyour request was handled.\n${kind} code: 1042\nThanks`),
  'Verification of your account failed. Reason code: 1042', 'Verification failed (code 1042)', 'Authentication failed: code=1042',
  // a number below a heading, above words about codes in general
  ...['Your order\n\n482913\n\nFor your security, we will never ask for your password or a one-time code.',
    'Booking reference\n\nKX9TQ2\n\nYou will get a verification code by SMS to check in online.',
    'Booking reference\n\nKX9TQ2\n\nUse it to log in to your trip. We will never ask for your PIN.', 'Username\n\n48291304\n\nYour password will follow by post.',
    'Transaction ID\n\n48291304\n\nNever share your PIN or password with anyone.', 'Balance\n\n4829\n\nNever share your password or code.',
    'Your customer ID\n\n482913\n\nWe will send your PIN by post.', 'Invoice\n\n482913\n\nScan the code to pay.', 'Points\n\n4829\n\nLog in with your PIN to redeem them.',
    'Aktenzeichen\n\n48291304\n\nBitte melden Sie sich mit Ihrer PIN an.', 'Localizador\n\nKX9TQ2\n\nNunca te pediremos tu contraseña ni un código.',
    'Prenotazione\n\nKX9TQ2\n\nNon ti chiederemo mai la password o un codice.', 'Twoje zamówienie\n\n482913\n\nNigdy nie prosimy o hasło ani kod.',
    'Please confirm your email\n\nFollowers\n\n1042\n\nConfirm your email to see them.'],
]
