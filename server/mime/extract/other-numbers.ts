import type { Candidate } from './code-boxes.ts'
import { anyOf, codeWord, digitWords, lastDigits, passwordWord, signInWord, stems } from './code-words.ts'
import { endOfLast } from './last-match.ts'
import { wordPattern } from './word-pattern.ts'

/** Words beside numbers that are no codes, in lower case. */

const numbered = `
  order invoice receipt tracking shipment parcel ticket case reference ref booking reservation fax
  hotline call dial zip postcode isbn iban vat tel telephone flight build version serial model item
  line lines row column port process pid job run commit issue (?:pull|merge).request pr revision
  article sku rfc iso ieee quote total amount extension device.id room gate suite terminal apartment apt ending endet ends terminada terminant terminato termina finit
  bestellung bestellnummer
  bestell-nr auftrag rechnung rechnungsnummer kundennummer vorgang sendung sendungsnummer telefon plz postleitzahl
  commande facture colis suivi référence dossier téléphone pedido factura envío referencia teléfono
  encomenda fatura ordine fattura spedizione telefono bestelling factuur zamówienie zamówienia
  фд фп фпд фн faktura faktury objednávka faktúra beställning ordre tilaus sipariş rendelés számla comandă
  factură
  buchung buchungen reservierung termin antrag inserat anzeige claim listing boeking reservering afspraak bokning ärende bestilling varaus varauksesi rezerwacja
  rezerwacji zgłoszenie rezervace rezervaci rezervácia rezervácie foglalás foglalása rezervare rezervarea rezervasyon broneering tellimus pasūtījums
  rezervācija užsakymas rezervacija narudžba narudžbina naročilo rezervimi porosia reserva reservación solicitud pratica prenotazione demande réservation
  rendez-vous pesanan pemesanan tempahan agizo oda`

/** Labels of other numbers only when a number follows at once, or a word for "number": "for your account: 482913" may be a code. */
const holders = `
  account customer client member membership request anfrage policy contract phone mobile card registration company user user.id username id
  konto kunde kunden kundin mitglied compte abonné adhérent cuenta cliente socio conta utente tessera klant rekening lid klient klienta
  konta účet účtu zákazník zákazníka kund medlem konton asiakas tili hesap müşteri cont client аккаунт аккаунта учётной.записи клиент
  клиента акаунт акаунта рахунок`

const numberedInOtherScripts = `
  заказ заказа заказу счёт счет счета накладной трек-номер телефон телефону замовлення рахунок 订单
  订单号 预订 预订号 預訂 工单 工單 预约 予約 예약 접수 поръчка поръчката резервация бронирование бронирования бронь бронювання нарачка поруџбина резервација
  заявка заявки παραγγελία κράτηση حجز الحجز רזרבציה बुकिंग ऑर्डर การจอง 尾号 尾號 末尾 訂單 发票 快递单号 电话 客户 账户 账号 帳號 ご注文 注文番号 注文 請求書 請求番号 お問い合わせ番号 伝票番号 電話 お客様 アカウント 주문 주문번호
  송장번호 전화 계정 고객 طلب الطلب فاتورة الهاتف حساب الحساب
  הזמנה חשבונית טלפון חשבון ऑर्डर คำสั่งซื้อ đơn.hàng khách.hàng thành.viên hội.viên tài.khoản đặt.chỗ
  đặt.phòng hợp.đồng điện.thoại`

const numberWords = 'number|nummer|nr|no|num|id|code|numéro|número|numero|numer|č|číslo'
const untilCode = String.raw`[ \t:#.…–—-]{0,4}\n?[ \t]{0,4}(?:\p{L}{1,5}[ :#.…]{1,4})?$`

/** The label of a number that is not a code, at the end of a text. */
const otherNumber = wordPattern([
  String.raw`(?:(?<!\p{L})(?:${anyOf(numbered)})(?:\s?(?:${numberWords}))?`,
  String.raw`|(?:${anyOf(holders)})\s?(?:${numberWords}))(?!\p{L})${untilCode}`,
  String.raw`|(?<!\p{L})(?:${anyOf(holders)})[ \t]{1,2}#?$`,
  String.raw`|(?<!\p{L})(?:text|sms|send|reply)(?: ["'“‘]?\p{L}{2,12}["'”’]?){1,3} to $|(?<!\p{L})(?:come|comes|sent) from $`, // a short code
  String.raw`|(?:${anyOf(numberedInOtherScripts)})(?:номер|号|號|번호)?[^\p{L}\n]{0,6}\n?[ \t]{0,4}$`,
].join(''), 'u')

const numbersBehind = anyOf(`number szám numarası numaranız संख्या नंबर ક્રમાંક`)
const numbersInCompound = anyOf(`nummer nummeret numret numero szám száma`)
const numbersOfHan = anyOf(`番号 编号 編號 号码 號碼 号 號 번호`)
const numbersBefore = anyOf(`
  número numéro numero numer nummer nomor numărul număr číslo αριθμός номер رقم מספר`)
/** Words with which a number is the code itself: "enter the number: 482913", "次の番号". */
const ownWords = anyOf(`
  ein the this that a your following digit digits below time same right matching correct random secret access aşağıdaki bu şu इस यह निम्न siguiente suivant
  seguinte seguente poniżej następujący ci-dessous abajo abaixo berikut níže ниже следующий التالي أدناه הבא alábbi`)
/** A label of any number, such as that of a customer: a word for "number" with another word. */
const numberLabel = wordPattern([
  String.raw`(?:(?<=\p{L}{3})(?:${numbersInCompound})|(?<=\p{L})(?<![の記下이음番编編])(?:${numbersOfHan})`,
  String.raw`|(?<=[\p{L}\p{M}][ \t])(?<!(?<!\p{L})(?:${ownWords})[ \t])(?:${numbersBehind})`,
  String.raw`|(?<!\p{L})(?:${numbersBefore})[ \t](?:(?:de|del|do|da|di|des|der|of)[ \t](?:la[ \t])?|d['’])?(?!(?:${ownWords})(?!\p{L}))\p{L}{3,20}`,
  String.raw`|(?:หมายเลข|เลขที่)(?!นี้|ต่อไปนี้|ด้านล่าง)[ก-๛]{2,20})`,
  String.raw`[ \t:：#.–—-]{0,4}\n{0,2}[ \t]{0,4}(?:\p{L}{1,6}[ :#.]{1,3})?$`,
].join(''), 'u')

/** Words behind which the end of the number of a card or an account stands: "ending in 4418". */
const endBefore = wordPattern(String.raw`(?:(?<!\p{L})(?:${stems(`
  end(?:ing|s|et|end|end?e|ung|ziffern|nummer)(?:numbers?)? eindig(?:t|end|ende) (?:end|slutt)er slut(?:ar|ande) endar päätty(?:y|vä|vän|vällä) lõpe?b lõppeva?l? lõpuga termin(?:a|ad[ao]|ante|[ae]nt|at[ăa]?|ación|acion|é|ée|ă)
  (?:se.)?finiss(?:ant|e) finit fine final acabad?[ao]? conč konč(?:í(?:cí)?|iac\\p{L}{1,3}) koncovko?u? konča(?:va|jo)? končuje končnico završava završni(?:m|h)? kończ(?:y|ąc\\p{L}{1,3})(?:.się)? końcówce końcówką
  baig(?:iasi|iama) besibaigian\\p{L}{1,4} beidzas beidzošos mbaron mbarues berakhir(?:an)? nagtatapos inayoishia kuishia (?:số.)?cuối (?:có.)?đuôi kết.thúc
  завърш(?:ва|ващ\\p{L}{1,3}) заверша\\p{L}{2,6} оканчива\\p{L}{2,6} заканчива\\p{L}{2,6} закінчу\\p{L}{2,6} завршава завршни[мх]? λήγει λήγουσα τελειώνει καταλήγει`)})`
  + String.raw`(?:\s(?!code|kode?|kód|pin|otp|tan|код)(?:\p{L}{1,4}|dengan|(?:${stems('digit numer nummer numbr cyfr cifr číslic čísl siffr ziffern chiffre dígito цифр число номер')})\p{L}{0,6})){0,2}`
  + String.raw`|(?:${stems(`
  (?:ال)?منتهي(?:ة)? تنتهي ينتهي (?:ال)?منتهية منتهی ש?ה?מסתיי(?:ם|מת) ลงท้าย ลงท้ายด้วย ລົງທ້າຍດ້ວຍ ລົງທ້າຍ បញ្ចប់ដោយ ដែលបញ្ចប់ 끝자리 뒷자리 끝번호 끝.?4자리 末尾 下.桁 尾[号號数數] [末后後].[位碼码] 後.碼`)})(?:[がはの为為是]|ב|.?(?:بـ?|با|به|في))?)[^\p{L}\p{N}\n.!?;]{0,4}$`, 'u')
/** The same before it: "4418-ra végződő". */
const endAfter = wordPattern(String.raw`^[ -]?(?:${stems(`
  (?:r[ae]|v[ae]l|nal|nel|t).végző (?:-?[aeoö]s.)?vég[űz] ile.(?:biten|sonlanan) \\(?e?\\)?z.amaitz endend päätty lõppev पर.(?:समाप्त|खत्म|ख़त्म).होने से.(?:समाप्त|खत्म).होने দিয়ে.শেষ পর্যন্ত.শেষ پر.ختم.ہونے በሚያልቅ የሚያልቅ ով.ավարտվ ით.(?:დასრულ|დამთავრ)
  [мбп]ен.аяқтал [өао][өао]р.төгс ээр.төгс ဖြင့်.?ဆုံး இல்.முடி తో.ముగిసే で終わる (?:으?로|인).끝나는 结尾 結尾`)})`, 'u')
/** Maximum characters of the words about the end of a number. */
const maxEndChars = 64

/** Whether a number is the end of that of a card, an account or a phone: "ending in 4418", "(last four digits of the card: 4418)". */
export function isEndOfNumber(source: string, { code, start }: Candidate): boolean {
  const digits = /^\d{4,5}(?!\d)/.exec(code)?.[0]
  if (digits === undefined) return false
  const tail = /[^\n.!?;()（）]*$/.exec(source.slice(Math.max(0, start - maxEndChars), start).toLowerCase())![0]
  if (endBefore.test(tail) || endAfter.test(source.slice(start + digits.length, start + 40).toLowerCase())) return true
  const endOfDigits = lastDigits.test(tail) ? endOfLast(lastOfDigits, tail) : -1
  return endOfDigits >= 0 && tail.slice(endOfDigits).search(codeWord) < 0
}

const lastOfDigits = wordPattern(`${digitWords}|เลข`, 'gu')

/** A plural that counts sign-ins or codes, at the end of a text: "New signups", "Codes sent". */
const counted = wordPattern(String.raw`(?:(?<!\p{L})(?:${anyOf(`
  log.?ins sign.?ins sign.?ups registrations verifications authentications confirmations anmeldungen registrierungen logins verifizierungen bestätigungen
  inscriptions connexions vérifications inscripciones registros verificaciones accesos inscrições acessos cadastros verificações iscrizioni accessi
  registrazioni verifiche aanmeldingen registraties logowań rejestracji rejestracje logowania weryfikacje registrace přihlášení registreringar
  inloggningar registreringer kirjautumiset rekisteröinnit rekisteröitymiset girişler kayıtlar регистраций регистрации входов входы подтверждений
  реєстрацій входів regisztrációk bejelentkezések`)})|${anyOf(`
  (?:otps|codes|tokens|passcodes|passwords|emails|users|accounts|members|customers|devices|identities).(?:sent|used|issued|delivered|requested|expired|created|verified|confirmed|registered|authenticated|activated|signed.up)
  (?:verified|registered|confirmed|authenticated|activated|active).(?:users|accounts|members|customers|emails|devices)
  password.resets (?:otp|sms).(?:sent|delivered|success\\p{L}*|fail\\p{L}*|verified|errors?)(?=\\t) codes.(?:envoyés|utilisés) códigos.(?:enviados|usados) codici.(?:inviati|usati)
  ログイン数 登録数 登録者数 認証数 登录数 登录次数 注册数 验证次数 로그인.?수 가입자.?수 인증.?수`)})[ \t:：–-]{0,4}\n?[ \t]{0,4}$`, 'u')

/** The same with the word for a code at the end. */
export const countedCodes = /(?<!\p{L})(?:sent|issued|delivered|used|expired|failed|gesendete|versendete|verschickte|genutzte|verzonden|wysłane|отправленные) (?:codes|otps|tans|passcodes|tokens|kody|коды)[ \t:]{0,3}\n?$/u

/** A word behind a number that makes it that of a thing, or counts: "482913 numaralı sipariş", "4821号订单". */
export const countAfter = /^\s?(?:numaralı|no['’]?lu|nolu|számú|sz\.|号(?!码)|號(?!碼)|番の|번의|نمبر\s|[个個](?!人)|件[のを]|개(?:[의를가]|(?!\p{L})))/u

/** Words in the plural for codes and passwords, of languages in which a word after a number shows that it is one. */
const pluralsOfCodes = stems(`
  codes passcodes passwords (?<!\\p{L})otps (?<!\\p{L})tans (?<!\\p{L})pins passwörter kennwörter codici códigos codis wachtwoorden adgangskoder
  mots.de.passe contraseñas senhas coduri kodów haseł kódů kódov hesel hesiel koder koodia salasanaa kodova kodov lozinki gesel kodų
  кодов паролей кодів паролів кодове пароли κωδικοί κωδικούς`)

/** The plural after a number, behind its adjectives: "4821 verification codes". The number counts. */
export const pluralAfter = wordPattern(String.raw`^[ \u00a0\u202f](?:de )?(?:(?:${signInWord.source}|${stems(`
  security access unused sms otp backup recovery unique temporary bezpečnost jednoráz одноразов`)})[\p{L}-]{0,12} ){0,2}[\p{L}-]{0,24}(?:${pluralsOfCodes})(?!\p{L})`, 'u')

/** The id of a ticket at the end of the mails of a help desk (Zendesk), which no colon leads to: "[D7KV9Q-4XRN]". */
export const isTicketId = (source: string, { code, start, end }: Candidate): boolean => ticketId.test(code)
  && /(?:[^:：\s]|^)\s*\n[>\s]*\[$/.test(source.slice(Math.max(0, start - 40), start)) && /^\]\s*$/.test(source.slice(end, end + 200))

const ticketId = /^[A-Z\d]{6}-[A-Z\d]{4,5}$/

/** Whether a number on a line of its own is the value of the label above it, in a list of such: "Seminar\n48213\nDatum: …". */
export function isListed(above: string, below: string): boolean {
  const label = listedBelow.test(below) ? /\n[ \t]*(\p{L}[\p{L} /-]{2,24})\n[ \t]*$/u.exec(above)?.[1] : undefined
  return label !== undefined && !signInWord.test(label)
}

const listedBelow = /^[^\p{L}\n]*\n[ \t]*\p{L}[\p{L} /-]{2,24}:[ \t]*\S/u

/** Maximum characters from the beginning of a label to its number. */
const maxLabelChars = 64

/** Whether a plural counts; after the word for a code it is a purpose: "Kod do logowania". */
function isCounted(text: string): boolean {
  const at = text.search(counted)
  const lineBefore = /[^\n\d:.;,]{0,40}$/.exec(text.slice(0, Math.max(0, at)))![0]
  return at >= 0 && ![codeWord, passwordWord].some((word) => lineBefore.search(word) >= 0)
}

/** Whether a text in lower case ends with the label of a number that is no code. */
export function isOtherNumber(before: string): boolean {
  const tail = before.slice(-maxLabelChars)
  if (otherNumber.test(tail) || isCounted(tail)) return true
  const at = tail.search(numberLabel)
  if (at < 0) return false
  const label = /[\p{L}\p{M}-]*[ \t]?$/u.exec(tail.slice(0, at))![0] + tail.slice(at)
  return ![signInWord, codeWord, passwordWord].some((word) => label.search(word) >= 0)
}

/** Currencies in lower case, by ISO 4217 and by name. */
const currencies = `
  aed afn amd aoa ars aud azn bdt bgn bhd bnd brl bwp byn chf clp cny crc czk dkk dop dzd egp etb eur gbp gel ghs gtq hkd hnl huf idr ils inr iqd isk
  jmd jod jpy kes kgs khr krw kwd kzt lak lbp lkr lyd mdl mkd mmk mnt mur mvr mwk mxn myr mzn ngn nio nok npr nzd omr php pkr pln pyg qar rsd rub
  rwf sar sek sgd syp thb tjs tnd ttd twd tzs uah ugx usd usdt uyu uzs ves vnd xaf xof yer zar zmw btc eth rs rp rm kr tk tl dhs? bs rmb kshs? tsh
  ush zł zl kč kc euro euros dollars? pounds rupees rupiah baht naira руб рублей грн лв сум тг тенге درهم ريال دينار جنيه ریال تومان रु रू रुपये
  টাকা บาท đ đồng 元 円 원`
/** Those that are words in small letters, too. */
const currenciesInCapitals = 'CAD|COP|MAD|PEN|RON|TRY'

/** The currency of an amount that follows, at the end of a text. */
const currencyBefore = wordPattern(String.raw`(?<!\p{L})(?:${stems(currencies)})\.?[ \u00a0\u202f]?$`, 'u')
const capitalsBefore = wordPattern(String.raw`(?<!\p{L})(?:${currenciesInCapitals}|R)[ \u00a0\u202f]?$`, 'u')
/** The same as one word: "INR4829", "Rs4829". */
export const amountInOneWord = wordPattern(String.raw`^(?:${currenciesInCapitals}|R|${stems(currencies)})\d+$`, 'iu')

const units = `
  ${currencies} ron try ft lei km ден дин minutes minute mins min hours hour hrs
  days day times seconds sec weeks months years minuten stunden tage minutos horas días heures jours минут
  часов дней kg mb gb kb tb ms px people users items miles characters chars words steps credits coins lines pages líneas linhas zeilen lignes righe строк строки рядков 行 行目
  files commits developers engineers contributors downloads teams companies customers members subscribers repos repositories tests packages
  extensions apps others of points punkte puntos pontos punti punten punktów poäng poeng pistettä pontot? puncte bodů bodov bodova баллов балів
  точки бодова πόντους puan điểm poin taškų stig messages nachrichten mensajes messaggi mensagens berichten wiadomości сообщений meddelanden`

/** A unit after a number, in lower case. */
const unitAfter = wordPattern(String.raw`^(?:\s?(?:[%°\p{Sc}]|(?:${stems(units)})(?!\p{L}))| sms(?= ?\(|\t| {2}| sent(?!\p{L}))| ?[x×] ?\d+[.,]\d)`, 'u')
const capitalsAfter = wordPattern(String.raw`^[ \u00a0\u202f]?(?:${currenciesInCapitals})(?!\p{L})`, 'u')

/** The year of a date: "2026年11月28日", "2026 жылы". Those of other calendars stand behind a month of their script: "28 พ.ย. 2569". */
export const isYear = (digits: string, before: string, after: string): boolean => /^(?:19|20)\d\d$/.test(digits) ? yearBefore.test(after)
  : /^(?:1[34]|2[45])\d\d$/.test(digits) && monthOfScript.test(before)
const yearBefore = wordPattern(String.raw`^ ?(?:[年년]|(?:${stems('жылы жылғы оны он[ыд] йил[иқ]? yil(?:i|da|gi)? ili yılı(?:nda)?')})(?!\p{L}))`, 'u')
const monthOfScript = /(?<!\d)\d{1,2} (?!นา|دق)[\p{Script=Thai}\p{Script=Arabic}.]{2,12} $/u

/** Whether a currency before a number, or a unit after it, makes it an amount. */
export const isAmount = (before: string, after: string): boolean => currencyBefore.test(before.toLowerCase()) || capitalsBefore.test(before)
  || unitAfter.test(after.toLowerCase()) || capitalsAfter.test(after)

/** An amount of money, in a text in lower case. */
export const money = wordPattern(String.raw`(?<!\p{L})(?:[a-z]{0,3}\p{Sc}|(?:${stems(currencies)})\.?)[ \u00a0\u202f]?\d|\d[ \u00a0\u202f]?(?:\p{Sc}|(?:${stems(currencies)}|lei|ron|try|ft)(?!\p{L}))`, 'u')

const kindsOfStreet = 'street st avenue ave road rd boulevard blvd lane ln drive dr parkway pkwy highway square'
/** The name of a street after a number, as it is written, which makes it the number of a house: "2261 Market Street". */
export const streetAfter = wordPattern(String.raw`^ (?:[\p{Lu}\d][\p{L}.]{0,19} ){1,3}?(?:`
  + String.raw`${stems(kindsOfStreet.replaceAll(/\b[a-z]/g, (first) => first.toUpperCase()))}|${stems(kindsOfStreet.toUpperCase())})(?! (?:\p{L}{1,20} )?[Cc]ode|\p{L})`, 'u')

/** The postal address of a company, of which a line may end a text: a number that stands alone below it is a postal code. */
export const postalAddress = wordPattern(String.raw`(?:straße|strasse|str\.|(?<!\p{L})(?:inc|ltd|llc|gmbh|corp|street|avenue|ave|road|rd|blvd|suite`
  + String.raw`|p\.o\. box|s\.a\.|postfach|calle|rue|via|ulica|ul\.))(?!\p{L})[^\n]{0,40}\s*(?:\n[^\n\d]{0,30})?\s*$`, 'u')
