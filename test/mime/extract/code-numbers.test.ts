import { expect } from 'chai'
import { findCodes } from '../../../server/mime/extract/codes.ts'

type Row = [codes: string, subject: string, text: string]

const code = '604815'
const found = (texts: string[], subject = 'Acme'): Row[] => texts.map((text) => [code, subject, text])
const none = (texts: string[], subject = 'Acme'): Row[] => texts.map((text) => ['', subject, text])

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
    `Tu código Banco Norte es ${code}`, `Код Банка Север: ${code}`, `Код банка Север для входа: ${code}`, `Váš kód pro Severní banku: ${code}`,
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
  'stand in two cells': [...found(['Your code is\n\n604\t815\n', 'Your code is\n\n604\t-\t815\n\nThanks']), ...none(['604\t815\n', 'Points\n604\t815\n'])],
}

describe('One-time codes beside other numbers', () => {
  for (const [kind, rows] of Object.entries(kinds)) {
    it(kind, () => {
      for (const [codes, subject, text] of rows) expect(findCodes(subject, text).join(), text).to.equal(codes)
    })
  }
})
