import { expect } from 'chai'
import { readMessage } from '../../../server/mime/read-message.ts'

/** Mails with the number by which a bank approves a payment, the code of a booking, or that of an article or an office. */
const without: [subject: string, text: string][] = [
  ['Ricevuta', 'Il pagamento di 25,00 EUR è stato eseguito.\nCodice transazione: ORD738291\nCodice autorizzazione: 482917\nCarta: VISA **** 4242'],
  ['Чек', 'Сумма: 500 руб.\nИдентификатор операции: 738291\nКод авторизации: 482917\nКарта: **** 4242'],
  ['Makbuz', 'Tutar: 50 TL\nProvizyon Kodu 482917\nKart **** 4242'],
  ['영수증', '결제금액 10,000원\n승인번호 48291736\n카드 **** 4242'],
  ['Potwierdzenie', 'Kwota: 25 PLN\nKarta **** 4242\nKod autoryzacji: 482917'],
  ['Potvrzení', 'Částka: 250 Kč\nKarta **** 4242\nAutorizační kód: 482917'],
  ['Potvrdenie', 'Suma: 25 EUR\nKarta **** 4242\nAutorizačný kód: 482917'],
  ['Chitanță', 'Suma: 25 RON\nCard **** 4242\nCod autorizare: 482917'],
  ['Chitanță', 'Suma: 25 RON\nCard **** 4242\nCod de autorizare: 482917'],
  ['Разписка', 'Сума: 25 лв\nКарта **** 4242\nКод за оторизация: 482917'],
  ['Квитанція', 'Сума: 25 грн\nКартка **** 4242\nКод авторизації: 482917'],
  ['Potvrda', 'Iznos: 25 EUR\nKartica **** 4242\nAutorizacijski kod: 482917'],
  ['Потврда', 'Износ: 25 RSD\nКартица **** 4242\nАуторизациони код: 482917'],
  ['Potvrda', 'Iznos: 25 RSD\nKartica **** 4242\nAutorizacioni kod: 482917'],
  ['Potrdilo', 'Znesek: 25 EUR\nKartica **** 4242\nAvtorizacijska koda: 482917'],
  ['Απόδειξη', 'Ποσό: 25 EUR\nΚάρτα **** 4242\nΚωδικός έγκρισης: 482917'],
  ['Biên lai', 'Số tiền: 250.000 VND\nThẻ **** 4242\nMã chuẩn chi: 482917\nMã giao dịch: 738291'],
  ['ใบเสร็จ', 'จำนวนเงิน: 250 บาท\nบัตร **** 4242\nรหัสอนุมัติ: 482917'],
  ['Struk', 'Jumlah: Rp 250.000\nKartu **** 4242\nKode otorisasi: 482917\nKode persetujuan: 482918'],
  ['إيصال', 'المبلغ: 25 ريال\nالبطاقة **** 4242\nرمز التفويض: 482917'],
  ['إيصال', 'المبلغ: 25 ريال\nالبطاقة **** 4242\nرمز الموافقة: 482917'],
  ['收据', '金额: 25 元\n卡号 **** 4242\n授权码: 482917'],
  ['Bon', 'Bedrag: 25 EUR\nKaart **** 4242\nAutorisatiecode: 482917'],
  ['Beleg', 'Betrag: 25 EUR\nKarte **** 4242\nAutorisierungscode: 482917\nTerminal-ID: 48291736'],
  ['Kvitto', 'Belopp: 25 kr\nKort **** 4242\nAuktorisationskod: 482917'],
  ['Kvittering', 'Beløb: 25 kr\nKort **** 4242\nAutorisationskode: 482917'],
  ['Kuitti', 'Summa: 25 EUR\nKortti **** 4242\nVarmennuskoodi: 482917'],
  ['Reçu', 'Montant : 25 EUR\nCarte **** 4242\nCode d’autorisation : 482917'],
  ['Reçu', "Montant : 25 EUR\nCarte **** 4242\nNuméro d'autorisation : 482917"],
  ['Recibo', 'Valor: R$ 25\nCartão **** 4242\nCódigo de autorização: 482917'],
  ['Recibo', 'Importe: 25 EUR\nTarjeta **** 4242\nCódigo de autorización: 482917'],
  ['Receipt', 'Amount: $25.00\nCard **** 4242\nAuthorization code: 482917'],
  ['Receipt', 'Amount: $25.00\nCard ending in 4242\nApproval code: 482917'],
  ['領収書', '金額: 2,500円\nカード **** 4242\n承認番号: 482917\n承認コード: 482918'],
  ...['Approval Code: 048291', 'Appr code: 048291\nTrans ID 7382914820', 'AUTH CODE 048291 PIN VERIFIED', 'Authorisation code: 048291', 'Authorization Code: 0A4829']
    .flatMap((text): [string, string][] => [['Your receipt', text], ['Transaction Receipt from Acme for $25.00 (USD)', text]]),
  ['Kassenbon', 'Genehmigungscode 048291'], ['Ticket de caisse', 'Code d’autorisation : 048291'], ['Recibo', 'Código de autorización: 048291'],
  ['Comprovante', 'Código de autorização: 048291'], ['Scontrino', 'Codice autorizzazione 048291'], ['Paragon', 'Kod autoryzacji: 048291'],
  ['Чек', 'Код авторизации: 048291\nФД 48291 ФПД 7382914820'], ['Bon', 'Autorisatiecode 048291'], ['Kvitto', 'Auktorisationskod: 048291'],
  ['Slip', 'Provizyon kodu / Onay kodu: 048291'], ['영수증', '승인번호 48291736'], ['支付凭证', '授权码 048291'], ['領収書', '承認番号 482917'],
  ['Kuitti', 'Varmennuskoodi: 048291'], ['Účtenka', 'Autorizační kód: 048291'], ['Kvittering', 'Kort 4242\nAutorisationskode: 048291'],
  ['Beleg', 'Autorisierungscode: 048291'], ['Betaling', 'Kaart 4242\nAutorisatiecode: 048291'], ['Booking', 'Boekingscode: 7KQ9XR\nVlucht KL1234'],
  ['Uçuş', 'Rezervasyon kodu (PNR): TQX9RK'],
  ['Uçuş', 'Rezervasyon kodunuz: TQX9RK'],
  ['Resa', 'Bokningskod: 7KQ9XR'],
  ['Rejse', 'Bookingkode: 7KQ9XR\nReservationskode: 7KQ9XS'],
  ['Reise', 'Bestillingskode: 7KQ9XR'],
  ['Matka', 'Varauskoodi: 7KQ9XR'],
  ['Let', 'Kód rezervace: 7KQ9XR'],
  ['Πτήση', 'Κωδικός κράτησης: 7KQ9XR'],
  ['Repülés', 'Foglalási kód: 7KQ9XR'],
  ['Chuyến bay', 'Mã đặt chỗ (PNR): 7KQ9XR'],
  ['Penerbangan', 'Kode reservasi: 7KQ9XR\nKode booking: 7KQ9XS'],
  ['예약', '예약코드: 7KQ9XR'],
  ['Objednávka', 'Kód zboží: ANK4829'],
  ['Objednávka', 'Boty (kód zboží: 482917)'],
  ['سفارش', 'کد سفارش: ۲۳۴۸۲۹۱۷'],
  ['Facture', 'Code banque : 30004\nCode guichet : 00482'],
  ['振込', '金融機関コード：0001\n店舗コード：482917\n取引先コード：482918\n社員コード：482917'],
  ['Pembayaran', 'Kode perusahaan: 80777'],
  ['СДЭК', 'Код ПВЗ: MSK482'],
  ['Parking', 'Location code: 48291'],
]

/** Subjects of transfers that are done, amounts, and labels of the number with which a bank approved them. */
const done: [subject: string, amount: string, label: string][] = [
  ['Your transfer was successful', '$350.00', 'Approval code'], ['Payment completed', '£350.00', 'Authorisation code'], ['Überweisung ausgeführt', '350,00 EUR', 'Autorisierungscode'],
  ['Virement effectué', '350,00 €', 'Code d’autorisation'], ['Transferencia realizada', '350,00 €', 'Código de autorización'], ['Bonifico eseguito', '350,00 €', 'Codice autorizzazione'],
  ['Transferência concluída', 'R$ 350,00', 'Código de autorização'], ['Przelew zrealizowany', '350,00 PLN', 'Kod autoryzacji'], ['Перевод выполнен', '3500 руб.', 'Код авторизации'],
  ['Переказ виконано', '3500 грн', 'Код авторизації'], ['Platba byla provedena', '350 Kč', 'Autorizační kód'], ['Plată efectuată', '350 RON', 'Cod autorizare'],
  ['Betaling geslaagd', '€ 350,00', 'Autorisatiecode'], ['Betalningen är genomförd', '350 kr', 'Godkännandekod'], ['Transferiniz başarıyla tamamlandı', '350 TL', 'Onay kodu'],
  ['Transfer berhasil', 'Rp 350.000', 'Kode otorisasi'], ['Η μεταφορά ολοκληρώθηκε', '350,00 €', 'Κωδικός έγκρισης'], ['تم التحويل بنجاح', '350 ريال', 'رمز التفويض'],
  ['转账成功', '¥3,500.00', '授权码'], ['轉帳成功', 'NT$3,500', '授權碼'], ['이체 완료', '350,000원', '승인번호'],
]
without.push(...done.flatMap(([subject, amount, label]): [string, string][] => [[subject, `${amount}\n${label}: 048291`], [subject, `${amount}\n${label}\t048291\nNo.\t1337750\n`]]))

/** Labels of other numbers around a code, and a line whose label is that of its own number. */
without.push(
  ['Przelew zrealizowany', 'Kwota\t350 PLN\nNr operacji\t4829133\nKod SWIFT\tBPKOPLPW'], ['Przelew zrealizowany', 'Nr operacji: 4829133\nKod SWIFT: BPKOPLPW'],
  ['Bonifico eseguito', 'N. operazione: 4829133\nCodice BIC: BCITITMM'], ['Παραγγελία', 'Αρ. παραγγελίας: 4829133\nΚωδικός προϊόντος: AX-200'],
  ['Your fuel receipt', 'Total\t$61.87\nSite\t4829\nApproval code\t048291\nTransaction\t1337750'], ['운행 영수증', '결제금액\t12,400원\n카드\t4417-****-****-3391\n승인번호\t30048291\n1599-4829'],
)

/** Codes that a reader enters, with the same words. */
const withCode: [subject: string, text: string, code: string][] = [
  ['ELSTER', 'Ihre Aktivierungs-ID: 482917364\nBitte geben Sie diese ein.', '482917364'],
  ['3-D Secure', 'Ihr Autorisierungscode für die Zahlung lautet 482917. Geben Sie ihn auf der Seite ein.', '482917'],
  ['Authorization code', 'Your authorization code is 482917. It expires in 10 minutes.', '482917'],
  ['Authorization code', 'Your authorization code is 482917 to sign in.', '482917'],
  ['Sign in', 'Authorization code: 482917', '482917'], ['Logowanie', 'Kod autoryzacji: 482917', '482917'],
  ['QQ邮箱', '您的授权码是 482917，请勿泄露。', '482917'],
  ['Codice', 'Il tuo codice di autorizzazione è 482917. Non condividerlo.', '482917'],
  ['인증', '승인번호 482917을 입력하세요.', '482917'],
  ['Autorizačný kód platby', 'Suma\t24,90 EUR\nKarta\t**** 3391\nAutorizačný kód\t507 284\nPlatnosť kódu je 5 minút.', '507284'],
  ['Authorization code for your payment', 'Amount\tEUR 24.90\nCard\t**** 3391\nAuthorization code\t507284\nThe code is valid for 5 minutes.', '507284'],
  ['Cod de autorizare', 'Suma\t24,90 EUR\nCard\t**** 3391\nCod de autorizare\t507284\nCodul este valabil 5 minute.', '507284'],
  ['OTP for payment', 'Merchant\tSHOPDEE\nRef. Code\tQMXD\nOTP\t482057', '482057'], ['OTP', 'รหัสอ้างอิง (Ref. Code)\tQMXD\nรหัส OTP\t482057', '482057'],
  ['Confirm', 'Use the passcode to confirm.\nRef. code\t4829133\nOTP\t730184', '730184'],
  ['Transfer onayı', 'Referans No\t4829133\nTek kullanımlık şifre\t274 095', '274095'], ['Bekräfta', 'Referens\t4829133\nEngångslösenord\t274095', '274095'],
]

const codesOf = (subject: string, text: string): string[] => readMessage(Buffer.from(
  `From: a@shop.example\r\nSubject: =?utf-8?b?${Buffer.from(subject).toString('base64')}?=\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n`
  + `${text.replaceAll('\n', '\r\n')}\r\n`)).codes

describe('Codes of receipts, bookings and articles', () => {
  for (const [subject, text] of without) {
    it(`are none to enter: ${text.replaceAll('\n', ' / ')}`, () => expect(codesOf(subject, text)).to.deep.equal([]))
  }
  for (const [subject, text, code] of withCode) {
    it(`are one to enter: ${text.replaceAll('\n', ' / ')}`, () => expect(codesOf(subject, text)).to.deep.equal([code]))
  }
})
