import { code, found, none, testKinds } from './code-rows.ts'
import type { Row } from './code-rows.ts'

const currencies = `
  AED SAR QAR KWD INR Rs Rs. RS NPR LKR PKR BDT Tk THB MYR RM IDR Rp PHP Php VND NGN KES KSh Kshs. ZAR R EGP MAD EUR Euro USD US$ GBP CHF SEK DKK NOK kr
  kr. PLN CZK Kč HUF RON BGN TRY TL RUB UAH BRL R$ MXN COP PEN CLP JPY CNY RMB AUD CAD HKD SGD USDT BTC € $ £ ₹ ₺ ₽ ₦ ₱ ₫ ₴ ₸ ₪ ৳ ฿ रु`.trim().split(/\s+/)

const kinds: Record<string, Row[]> = {
  'are no amount with the currency before it': [
    ...currencies.flatMap((currency) => found([
      `Code for the payment of ${currency} 1930 at Corner Shop is ${code}.`, `${code} is your OTP for the payment of ${currency} 1930 at Corner Shop.`,
      `OTP for a transfer of ${currency} 27500 to Jane: ${code}`,
    ])),
    ...['INR', 'Rs', 'RM', 'Rp', 'R', 'AED', 'kr'].flatMap((currency) => found([`Code for the payment of ${currency}1930 at Corner Shop is ${code}.`])),
    ...found([
      `Ihre TAN für die Zahlung über EUR 1930 an Laden lautet ${code}`, `Votre code pour le paiement de EUR 1930 chez Laboutique est ${code}`,
      `Kod do płatności PLN 1930 w sklepie: ${code}`, `Code for the payment of 1930 AED at Corner Shop is ${code}.`,
    ]),
    ...none(['You paid INR 1930 to Corner Shop with your UPI PIN.', 'AED 1930 was charged after OTP verification', 'Rs 1930 sent. OTP verified.']),
  ],
  'are no date': [
    ...found([
      `OTP for your purchase on 14-09-26 is ${code}`, `${code} is your OTP, requested on 14-09-26.`, `Login code requested 14-09-26 at 10:12:\n\n${code}`,
      `Je code van 14-09-26 is ${code}`, `Koden den 14-09-26 er ${code}`, `Code generated on 09-14-26: ${code}`, `Verification code valid until 20260914: ${code}`,
      `Code of 14 09 26: ${code}`, `${code} is your code, valid on 14092026`,
    ]),
    ['140926', 'Acme', 'Your code is 14-09-26'], ['140926', 'Acme', 'Your code:\n\n14 09 26\n'], ['481733', 'Acme', '48-17-33 is your code'],
  ],
  'are none of a bank or its branch': none([
    'Kód banky: 0710', 'Variabilní symbol 30981422, kód banky 0710', 'Kod banku: 1030', 'Codul băncii: 4401', 'Cod bancar 4401', 'Код банка: 044030653',
    'Код банку 322001', 'Código del banco: 0198', 'Código bancario: 0198', 'Código de la sucursal: 4410', 'Código do banco: 0341', 'Código da agência: 1930',
    'Codice banca: 03069', 'Code agence : 01930', 'Kode cabang: 4410', 'Mã ngân hàng: 970436', 'Mã chi nhánh: 970436', '銀行コード：0310', '은행코드: 0810',
    '银行代码：102310', 'Banka kodu: 0624', 'Şube kodu: 0624', 'Clearing code: 309381', 'رمز البنك: 4410',
  ], 'Invoice'),
  'of a bank by name are found': found([
    `Tu código Banco Norte es ${code}`, `Ваш код Банка Север: ${code}`, `Код банка Север для входа: ${code}`, `Váš kód pro Severní banku: ${code}`,
    `【北方银行】验证码：${code}`, `북부은행 인증번호: ${code}`,
  ], 'Banco Norte'),
  'stand at the beginning of a paragraph, before a note': [
    ...['(valid for 10 minutes)', '(10 min)', 'is valid for 10 minutes.', '. It is valid for 10 minutes.', ', which expires soon.', '· valid today', '| Expires at 10:30',
      '– valid today', '\tExpires in 5 minutes'].flatMap((note) => ['Your code is:', 'Your sign-in code:', 'Your code is', 'Ihr Code lautet:', 'Votre code :'].flatMap((label) =>
        found([`${label}\n\n${code}${/^[.,\t]/.test(note) ? '' : ' '}${note}`]))),
    ...found([`Tu código es:\n\n${code} (válido 10 minutos)`, `Ваш код:\n\n${code} (действует 10 минут)`, `您的验证码是：\n\n${code}(5分钟内有效)`, `認証コード：\n\n${code}（10分間有効）`,
      `Your one-time code\n\n${code} (expires in 5 minutes)`, `Your one-time code\n\n${code} expires in 5 minutes`]),
    ['T4M9QX', 'Acme', 'Your one-time code:\n\nT4M9QX (expires in 5 minutes)'],
    ...none([`We never ask for your code.\n\n${code} users trust us.`, 'Please keep your code\n\n2024 was a great year', `Order number:\n\n${code} (shipped today)`]),
  ],
  'are no number of a telephone, a card or an account to which they belong': [
    ...found([
      `Koden for 91 40 22 17 er ${code}`, `Engangskode til 91 40 22 17: ${code}`, `Koden din til mobil 91 40 22 17 er ${code}`, `Verification code for 5550142: ${code}`,
      `Code for 91402217 is ${code}`, `OTP for loan 91402217 is ${code}`, `OTP to add JANE A/c 91402217 is ${code}`, `OTP for complaint no 91402217 is ${code}`,
      `Ihre PIN zur Karte 9140 lautet ${code}`, `OTP for txn 91402217 at SHOP is ${code}`, `Kode untuk 91402217 adalah ${code}`, `Код для номера 91402217: ${code}`,
    ]),
    ['7351', 'Acme', 'OTP for trip 9140 is 7351'],
    ...found([`Your code for Acme ${code} expires on: 2026-09-14`, `Your code ${code} expires: 2030`]),
  ],
  'are none of a payment with a card whose end is shown': none([
    'VISA ending 9140\nApproval Code: 604815', 'Card ends with 9140\nAuthorization code: 604815', 'Mastercard 9140\nAuth code: 604815', 'Card: xx9140\nApproval code: 604815',
    'Tarjeta terminada en 9140\nCódigo de autorización: 604815', 'Karte mit Endziffern 9140\nAutorisierungscode: 604815', 'Approval code 604815\nVISA-9140',
  ], 'Receipt'),
  'are none of a ticket': none([
    'Codice biglietto (PNR): T4M9QX', 'Il tuo codice biglietto è: T4M9QX', 'CODICE PNR: T4M9QX', 'Il codice del biglietto è T4M9QX', 'Ticket code: T4M9QX', 'Ticketcode: T4M9QX',
    'PNR code: T4M9QX', 'Code billet : T4M9QX', 'Código de billete: T4M9QX', 'Código do bilhete: T4M9QX', 'Kod biletu: T4M9QX',
  ], 'Your trip'),
  'of a seller of tickets by name are found': found([`Your Easy Ticket code is ${code}`, `${code} is your Ticketmaster code`, `Your TicketSwap code: ${code}`], 'Easy Ticket'),
  'are a password for signing in': [
    ...found([`Пароль для входа: ${code}`, `Password for login: ${code}`, `Mot de passe pour vous connecter : ${code}`]),
    ['Wq73nT52', 'Acme', 'Ваш пароль для входа на сайт: Wq73nT52'], ['Wq73nT52', 'Acme', 'Contraseña para entrar: Wq73nT52'],
    ['Wq73nT52', 'Acme', 'Senha provisória: Wq73nT52'],
    ...none(['You asked for a new password for your account at localhost:8000.', 'Password reset for your account: 604815', 'Our codes are sent from 60481.']),
  ],
  'are named by words without marks': found([
    `Tek kullanimlik sifreniz: ${code}`, `Islem sifreniz ${code}`, `Jednorazowe haslo: ${code}`, `Haslo do logowania: ${code}`, `Su contrasena temporal es ${code}`,
    `Az On belepesi kodja: ${code}`, `Parol: ${code}`, `Docasne heslo: ${code}`, `Mat khau mot lan cua ban la ${code}`, `Ditt engangslosenord: ${code}`,
  ]),
  'are a heading of Markdown': found([`Your code is:\n\n# ${code}\n`, `Your code is:\n\n## ${code}\n\nIt expires in 10 minutes.`, `# Sign in\n\nUse this code:\n\n### ${code}`]),
  'of letters and digits are found behind a longer sentence that leads to them': ['W6TR2M', 'w6tr2m', '6T4W8KQ3N'].flatMap((mixed) => [
    `Use the following code to verify your email address with Acme: ${mixed}`, `Please use this verification code to complete your registration at Acme Store: ${mixed}`,
    `Use the following code to verify your email address with Acme Company:\n${mixed} (valid 5 minutes)`, `Your verification code for logging in to the Acme Store is ${mixed}.`,
    `Mit folgendem Code bestätigen Sie Ihre E-Mail-Adresse bei Acme: ${mixed}`, `Ihr Bestätigungscode für die Anmeldung bei Acme lautet ${mixed}.`,
    `Utilisez le code suivant pour vous connecter à votre espace Acme : ${mixed}`, `Le code pour vous connecter à votre espace client Acme : ${mixed}`,
    `Utiliza el siguiente código para acceder a tu cuenta de Acme: ${mixed}`, `Usa il seguente codice per accedere al tuo account Acme: ${mixed}`,
    `Met de volgende code controleert u uw e-mailadres bij Acme: ${mixed}`, `Gebruik de volgende code om in te loggen bij Acme: ${mixed}`,
    `Użyj następującego kodu, aby zalogować się do Acme: ${mixed}`, `Use o seguinte código para entrar na sua conta Acme: ${mixed}`,
    `Använd följande kod för att bekräfta din e-postadress hos Acme: ${mixed}`, `Brug denne kode til at bekræfte din e-mailadresse hos Acme: ${mixed}`,
    `Pomocí tohoto kódu ověřte svou e-mailovou adresu u Acme: ${mixed}`, `Используйте следующий код, чтобы подтвердить адрес электронной почты Acme: ${mixed}`,
    `Acme hesabınıza giriş yapmak için kullanacağınız doğrulama kodunuz: ${mixed}`,
  ].map((text): Row => [mixed, 'Acme', text])),
  'of letters and digits are no name of another thing behind such a sentence': none([
    'The verification code was requested from this browser and device: RX480B', 'Your code was used to sign in with this device: SM-G991B', 'A code was sent for your vehicle with the plate: KA01AB1234',
    'Scan the QR code to open the menu of your table: B12A', 'Use the promo code for your next order from our shop: AB12CD', 'Enter the error code on the display of the machine: E4X7',
    'We sent a code to the phone that you gave us: Pixel7Pro', 'The code of the bug is in the file of the module: A1B2C3', 'Le code du bug est dans le fichier du module : A1B2C3',
    'Login code requested by the user with the name: JDOE42X', 'Our code base has a new release with the commit: 4f9c2ab', 'OTP for logging in to your account: tester42',
    'Der Code wurde von diesem Gerät angefordert: RX480B', 'El código fue solicitado desde este dispositivo: RX480B',
  ]),
  'are no id of a ticket at the end of a mail': [
    ...none([
      'Hi, please enter your code again.\n\nMaria\n\n[48ZQ2K-J9XP]\n', 'We sent you a new code.\n\nThis email is a service from Acme. Delivered by Zendesk\n\n\n\n[D7KV9Q-4XRN2]',
      'Wir haben Ihnen einen neuen Code geschickt.\n\n[48ZQ2K-J9XP]', '> Please enter your code again.\n>\n> [48ZQ2K-J9XP]',
    ], 'I do not receive my verification code'),
    ...['Your code:\n\n[48ZQ2K-J9XP]\n', 'Your code is [48ZQ2K-J9XP]', 'Your verification code\n\n[48ZQ2K-J9XP]\n\nIt expires in 5 minutes', 'Your code: 48ZQ2K-J9XP']
      .map((text): Row => ['48ZQ2K-J9XP', 'Acme', text]),
  ],
  'are no number of a merge request': [
    ...none(['ok'], 'Re: api | Draft: Add OTP login (!4821)'),
    ...none(['The security code now has 6 digits, see !20481.', 'The verification code fails, see MR !20481 and #20482.', 'The verification code fails, see merge request 20481.',
      'Der Sicherheitscode hat jetzt 6 Stellen, siehe !20481.', 'Le code de sécurité a 6 chiffres, voir !20481'], 'Fix paging'),
    ...found([`Welcome! Your code is !${code}`, `Welcome!\n\n${code} is your code`, `Your code: ${code}! Do not share it`]),
  ],
  'are no count of codes': [
    ...none([
      'We sent 30981 verification codes this month.', '120000 verification codes', '4820 one-time passwords delivered', '4820 unused backup codes', 'SMS OTP (30981 x 0.01)', '30981 SMS (one-time passcodes)   EUR 48.01',
      '30981 messages with a verification code', 'Im November wurden 30981 Bestätigungscodes verschickt.', '30981 TANs per SMS', '30981 Einmalpasswörter', '30981 SMS-Codes',
      'Nous avons envoyé 30981 codes de vérification ce mois-ci.', '30981 mots de passe à usage unique', 'Enviamos 30981 códigos de verificación este mes.', '30981 codici di verifica inviati',
      '30981 códigos de verificação enviados', '30981 verificatiecodes verzonden', 'Wysłano 30981 kodów weryfikacyjnych', 'Odesláno 30981 ověřovacích kódů', '30981 overovacích kódov',
      '30981 verifieringskoder skickades', '30981 bekræftelseskoder', '30981 vahvistuskoodia lähetettiin', '30981 de coduri de verificare', 'Отправлено 30981 кодов подтверждения',
      'Надіслано 30981 кодів підтвердження', '30981 κωδικοί επαλήθευσης', '30981 verifikacijskih kodova', '本月发送了30981个验证码', '30981件の認証コードを送信しました', '인증번호 30981개를 보냈습니다',
    ], 'Usage in November'),
    ...found([
      `Your code:\n${code}\nCodes expire after 10 minutes.`, `Your code is ${code}\nPasswords are never asked.`, `${code} verification code`, `Your verification code: ${code} codes expire in 5 minutes`,
      `Kod: ${code} kod ważny 5 minut`, `${code} doğrulama kodu`, `${code} is your code. Codes expire`, `Use ${code} SMS code to log in`, `인증번호 ${code} 개인정보를 보호하세요`, `您的验证码 ${code} 个人信息请勿泄露`,
    ]),
  ],
  'are no end of a number that is not shown': [
    ...found([`Your code is ${code}\n\nYou asked for a code to sign in on a device ending in (...4821).`, `Your code is ${code}, sent to the phone ending in (…4821)`, `Code ${code} für Ihr Gerät (…4821)`,
      `Code envoyé au téléphone (...4821) : ${code}`, `Código para el dispositivo terminado en …4821: ${code}`, `Your code for card […4821] is ${code}`]),
    ...none(['Your code (...4821) was sent', 'We sent a code to the phone ending in … 4821.']),
    ['4821', 'Acme', 'Your code is 4821 (...)'], ['4821', 'Acme', 'Your code (4821) expires soon...'],
  ],
  'are asked for as characters': [
    ...['Type these characters on the sign-up page to finish:\n\n*\n', 'Type these characters to sign in: *', 'Geben Sie diese Zeichen bei der Anmeldung ein:\n\n*\n\nDanke',
      'Saisissez ces caractères pour vous connecter :\n\n*', 'Introduzca estos caracteres para iniciar sesión:\n\n*', 'Inserisci questi caratteri per l’accesso:\n\n*',
      'Voer deze tekens in bij het inloggen:\n\n*', 'Wpisz te znaki, aby zalogować się:\n\n*', 'Введите эти символы для входа:\n\n*', '请输入以下字符以登录：\n\n*',
      'ログインするには次の文字を入力してください：\n\n*'].flatMap((text) => ['HX4-7TD', 'HX47TD'].map((characters): Row => [characters, 'Acme', text.replace('*', characters)])),
    ...none(['Passwords have 8 characters. Sign in at your account with:\n\nAcme2GO', 'Sign in and enter the last 4 characters of your card:\n\nRX480B',
      'Type the characters of the serial number:\n\nRX480B', 'Enter the digits of the part in the shop:\n\nRX480B']),
  ],
  'stand in two cells': [...found(['Your code is\n\n604\t815\n', 'Your code is\n\n604\t-\t815\n\nThanks']), ...none(['604\t815\n', 'Points\n604\t815\n'])],
}

testKinds('One-time codes beside other numbers', kinds)
