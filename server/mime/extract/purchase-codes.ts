import type { Candidate } from './code-boxes.ts'
import { namesKnownKind } from './code-kinds.ts'
import { looksRandom } from './code-letters.ts'
import { codeWord, expiryWord, oneTimeWord, passwordWord, signInWord, stems, verificationCode, voucher } from './code-words.ts'
import { endOfLast, lastLine } from './last-match.ts'
import { money } from './other-numbers.ts'
import { wordPattern } from './word-pattern.ts'

/** Characters around a code in which words tell a voucher, or the number of a payment, from a one-time code. */
const maxChars = { before: 400, after: 250 }

/** The sentence of a code, or the line above one on a line of its own, and the subject of its mail, in lower case. */
interface Sentence { subject: string, before: string, after: string }

/**
 * Whether a code is a voucher, or that of a card payment. A voucher has words for a sale in its sentence, or stands nearer to these than to
 * words for signing in. Digits are one only after words for a sale, since those below a one-time code may be an advertisement.
 */
export function isOfPurchase(source: string, { code, start, end, kind }: Candidate, sentence: Sentence): boolean {
  const { subject } = sentence
  const ownText = `${sentence.before}\n${sentence.after}`
  const afterInLine = source.slice(end, end + sentence.after.length).replace(lineBelow, '').toLowerCase()
  const isApproval = approvalCode.test(sentence.before.slice(-40))
  const isOneTime = has(oneTimeWords, ownText)
  if (has(voucherWords, sentence.before) || has(voucherWords, voucherRequest.test(sentence.before) ? sentence.after : afterInLine)) {
    return !verificationCode.test(ownText) && !(kind === 'digits' && (confirming.test(ownText) || has(oneTimeWords, ownText.replaceAll(signUp, ''))))
  }
  if (isOneTime && !isApproval) return false
  if (isWordAndNumber(code) && money.test(ownText)) return true
  const before = source.slice(Math.max(subject.length, start - maxChars.before), start).toLowerCase()
  if (!isApproval && verificationCode.test(lastLine(before))) return false
  const isSaleInSubject = has(saleWords, subject)
  const isSaleBefore = isSaleInSubject || has(saleWords, before)
  if (kind === 'digits' && !isApproval && (!isSaleBefore || confirming.test(ownText))) return false
  const after = source.slice(end, end + maxChars.after).toLowerCase()
  const around = `${before}\n${after}`
  if (isApproval && around.split('\n').some((line) => expiryWord.test(line) && has(codeWord, line))) return false
  if (isApproval && (terminalWord.test(around) || receiptWord.test(`${subject}\n${around}`))) return true
  const isLabelOfLine = isApproval && lastLine(before).trim().length <= maxLabelChars
  if (isLabelOfLine && (cardOrPayment.test(around) || (doneWord.test(`${subject}\n${before}`) && money.test(around)))) return !expiryWord.test(ownText)
  if (!isSaleBefore && !has(saleWords, after)) return false
  if (!isApproval && (nameOfOneTimeCode.test(`${subject}\n${ownText}`) || namesKnownKind(sentence.before))) return false
  const sale = Math.min(distanceBefore(saleWords, before), distanceAfter(saleWords, after))
  const signIn = Math.min(distanceBefore(oneTimeWords, before), distanceAfter(oneTimeWords, after))
  if (signIn < Infinity) return sale < signIn
  return isSaleInSubject || !has(oneTimeWords, subject)
}

/** Whether a code is a word with a small number, which is that of an offer beside an amount: "Mit dem Code WINTER26 erhältst du 20 €". */
function isWordAndNumber(code: string): boolean {
  const word = /^([A-Z]{3,12})-?\d{1,4}$/i.exec(code)?.[1]
  return word !== undefined && !looksRandom(word)
}

/** Below a code at the end of its line, a line that does not go on with its sentence. */
const lineBelow = /^[^\p{L}\p{N}\n]*\n\s*(?!\p{Ll})[^]*/u

/** "Use code", without an article, at the end of a text: the code may be a voucher of the line below. */
const voucherRequest = /(?<!\p{L})(?:use|apply|with) (?:promo )?code:? ?$/u

/** `test` would begin at the index after the last match. */
const has = (words: RegExp, text: string): boolean => text.search(words) >= 0

function distanceBefore(words: RegExp, text: string): number {
  const end = endOfLast(words, text)
  return end < 0 ? Infinity : text.length - end
}

function distanceAfter(words: RegExp, text: string): number {
  const at = text.search(words)
  return at < 0 ? Infinity : at
}

const voucherWords = new RegExp(voucher, 'gu')

/** Words for a sale, near a code. */
const saleWords = wordPattern(String.raw`${voucher}|\d\s?€?\soff(?!\p{L})|(?<!\p{L})(?:${stems(`
  (?:sale|deals?|soldes|saldi)(?!\\p{L}|.room) save.(?:up|big|now|more|\\d|[$€£]) black.friday cyber.monday free.shipping checkout
  special.offer angebot spare sparen ausverkauf schlussverkauf remise offre.spéciale livraison.(?:gratuite|offerte) rebajas
  oferta(?!s?.de.(?:empleo|trabajo)) ahorra envío.gratis offerta offerte sconti risparmi(?!o) spedizione.gratuita promoção promoções frete.grátis aanbieding
  uitverkoop promocj wyprzedaż taniej slev výprodej zľav výpredaj erbjudande tilbud udsalg alennus tarjou indirim kampanya fırsat
  kedvezmény(?!ezett) akció reduceri reducere ofertă έκπτωσ εκπτώσ προσφορ распродаж акция акции знижк розпродаж отстъпк намалени разпродажб
  popust rasprodaj razprodaj allahindlus soodus atlaid nuolaid išpardavim diskon potongan punguzo giảm.giá khuyến.mãi ưu.đãi`)})|${stems(`
  セール クーポン 特価 优惠 促销 特价 打折 優惠 特價 세일 쿠폰 خصم تخفيض تخفیف הנחה מבצע छूट ऑफ़र ऑफर ছাড় ส่วนลด โปรโมชั่น ลดราคา`)}`, 'gu')

const oneTime = `${signInWord.source}|${stems(`
  (?:otp|pin|tan|2fa)(?!\\p{L}) passcode (?:confirmation|activation).code aktivierungscode code.d.activation código.de.activación security access sicherheit zugang seguridad sécurité sicurezza segurança beveilig bezpiecz \\d.?min 安全 動態 动态 보안`)}`
const oneTimeWords = new RegExp(oneTime, 'gu')
const [passwords, oneTimes] = [passwordWord.source, oneTimeWord.source]
/** The name of a one-time code or password, whose sentence may be about any purchase: "password temporanea", "engangskode". */
const nameOfOneTimeCode = wordPattern(String.raw`(?:${oneTimes})[^\n.:]{0,16}(?:${passwords}|${codeWord.source})|(?:${passwords}|${codeWord.source})[^\n.:]{0,8}(?:${oneTimes})`, 'u')
/** Words that are also those of an offer: "Sign up with code 4829 and save 20%". */
const signUp = new RegExp(stems(`sign.?up signing.up signed.up registrier registrac regist(?:ra|re)r inscri s.inscrire`), 'gu')
/** Verbs for the purpose of digits with which a reader confirms a purchase or a contract. */
const confirming = wordPattern(String.raw`(?<!\p{L})(?:${stems(`
  confirm(?!ation|ed) approve authori[sz]e sign(?=.(?:with|your|the)(?!\\p{L})) bestätigen unterschreiben unterzeichnen anzunehmen abruf
  confirmer signer firmar confirmar aprobar assinar confermare firmare`)})`, 'u')

/** The label of the number with which a bank approves a payment by card, at the end of a text. */
const approvalCode = wordPattern(String.raw`(?:${stems(`
  (?:auth|appr|approval|authori[sz]ation|autorisierungs|genehmigungs|autorisatie|auktorisations|autorisations|godkännande|varmennus)\\.?[.\\s-]?(?:code|kode?|koodi|nr)
  (?:code|numéro).d['’]autorisation código.de.(?:autorización|aprobación|autorização) codice.(?:di.)?(?:autorizzazione|transazione)
  (?:provizyon|onay).(?:kodu|no) kod.autoryzacji autorizačn[íý].kód cod.(?:de.)?autorizare код.(?:за.)?(?:оторизация|авторизаци[яи]|авторизаці[яї]) идентификатор.операции
  (?:autorizac\\p{L}{1,6}|avtorizacijska).koda? ауторизациони.код κωδικός.(?:έγκρισης|εξουσιοδότησης) engedélyezési.(?:kód|szám) mã.(?:chuẩn.chi|giao.dịch|ủy.quyền)
  รหัสอนุมัติ kode.(?:otorisasi|persetujuan|transaksi) رمز.(?:التفويض|الموافقة) 授权码 授權碼 승인.?번호 承認番号 承認コード`)})[^\p{L}\p{N}]{0,8}$`, 'u')
const receiptWord = wordPattern(String.raw`(?<!\p{L})(?:${stems(`
  receipts? slip beleg kassenbon quittung kundenbeleg reçu ticket recibo comprobante ricevuta scontrino comprovante kassabon bon(?=$|\\n) kvitto kvittering kuitti paragon účtenka nyugta
  chitanță račun makbuz чек квитанція разписка απόδειξη biên.lai struk إيصال קבלה`)})(?!\p{L})|${stems(`领收 領収 收据 收據 凭证 憑證 영수증 ใบเสร็จ`)}`, 'u')
const terminalWord = wordPattern(String.raw`(?<!\p{L})(?:${stems(`terminal merchant ref rrn tid mid aid batch händler comercio esercente`)})(?!\p{L})`, 'u')
/** The end of the number of a card, or a word for a payment: the label of a line near them is that of an approval. */
const cardOrPayment = wordPattern(String.raw`(?:[*•·x]{2}|(?<!\p{L})(?:x|(?:${stems(`
  card karte carte tarjeta carta kaart kart[aąęu]? kort карта картка end(?:ing|s|et) terminad[ao] terminant finit endziffern endnummer eindigend visa mastercard maestro amex electron discover girocard rupay`)})(?:\s\p{L}{1,4})?))`
  + String.raw`[\s:-]{0,3}\d{4}(?!\d)|결제|승인금액|ご利用`, 'u')
/** Words with which a payment or a transfer is done, so that no code confirms it any more. */
const doneWord = wordPattern(stems(`
  (?<!\\p{L})(?:success completed executed) (?<!\\p{L})(?:was|were|been|is|payment|transfer).(?:paid|sent|processed|received|made) erfolgreich ausgeführt abgeschlossen überwiesen effectué exécuté réussi realizad completad exitos ejecutad eseguit completat
  riuscit effettuat efetuad concluíd sucesso zrealizowan wykonan zakończon uitgevoerd voltooid geslaagd genomförd slutförd gennemført fullført utført suoritettu onnistu выполнен успешн заверш исполнен проведен виконан успішн
  úspěšn dokončen proveden úspešn vykonan zrealizovan sikeres teljesít realizat efectuat reușit başarı tamamlan gerçekleş berhasil berjaya selesai thành.công สำเร็จ เรียบร้อย εκτελέστηκε ολοκληρώθηκε επιτυχ بنجاح اكتمل ناجح موفق انجام.شد
  הושלמ בוצע בהצלחה सफल সফল 完了 完成 成功 已[付支转轉] 완료 성공 завърш изпълнен uspješn uspešn успешн sėkming įvykdyt veiksmīg izpildīt õnnestu edukal`), 'u')
/** Maximum characters of such a label. */
const maxLabelChars = 40
