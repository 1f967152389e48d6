import type { Candidate } from './code-boxes.ts'
import { percentOff, signInWord, stems, verificationCode } from './code-words.ts'
import { endOfLast, lastLine } from './last-match.ts'

/** Characters around a code in which words tell a voucher, or the number of a payment, from a one-time code. */
const maxChars = { before: 400, after: 250 }

/** The sentence of a code, and the subject of its mail, in lower case. The sentence has no words for a sale. */
interface Sentence { subject: string, before: string, after: string }

/**
 * Whether a code is a voucher, or that of a card payment. A voucher stands nearer to words for a sale than to words for signing in; digits
 * are one only after words for a sale, since those below a one-time code may be an advertisement.
 */
export function isOfPurchase(source: string, { start, end, kind }: Candidate, sentence: Sentence): boolean {
  const { subject } = sentence
  const isApproval = approvalCode.test(sentence.before.slice(-40))
  if (!isApproval && (has(oneTimeWords, sentence.before) || has(oneTimeWords, sentence.after))) return false
  const before = source.slice(Math.max(subject.length, start - maxChars.before), start).toLowerCase()
  if (!isApproval && verificationCode.test(lastLine(before))) return false
  const isSaleInSubject = has(saleWords, subject)
  const isSaleBefore = isSaleInSubject || has(saleWords, before)
  if (kind === 'digits' && !isSaleBefore && !isApproval) return false
  const after = source.slice(end, end + maxChars.after).toLowerCase()
  if (isApproval && (receiptWord.test(before) || receiptWord.test(after))) return true
  if (!isSaleBefore && !has(saleWords, after)) return false
  const sale = Math.min(distanceBefore(saleWords, before), distanceAfter(saleWords, after))
  const signIn = Math.min(distanceBefore(oneTimeWords, before), distanceAfter(oneTimeWords, after))
  if (signIn < Infinity) return sale < signIn
  return isSaleInSubject || !has(oneTimeWords, subject)
}

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

const sales = String.raw`${percentOff}|\d\s?€?\soff(?!\p{L})|(?<!\p{L})(?:${stems(`
  (?:sale|deals?|soldes|saldi)(?!\\p{L}) save.(?:up|big|now|more|\\d|[$€£]) coupon voucher discount promo black.friday cyber.monday free.shipping checkout
  special.offer gutschein rabatt angebot spare sparen ausverkauf schlussverkauf remise réduction offre.spéciale livraison.(?:gratuite|offerte) rebajas
  oferta descuento ahorra envío.gratis offerta offerte sconto sconti risparmi spedizione.gratuita promoção promoções desconto frete.grátis aanbieding
  korting uitverkoop promocj rabat wyprzedaż taniej slev výprodej zľav výpredaj erbjudande tilbud udsalg alennus tarjou indirim kampanya fırsat
  kedvezmény akció reduceri reducere ofertă έκπτωσ εκπτώσ προσφορ скидк распродаж акция акции знижк розпродаж отстъпк намалени разпродажб
  popust rasprodaj razprodaj allahindlus soodus atlaid nuolaid išpardavim diskon potongan punguzo giảm.giá khuyến.mãi ưu.đãi`)})|${stems(`
  割引 セール クーポン 特価 折扣 优惠 促销 特价 打折 優惠 特價 할인 세일 쿠폰 خصم تخفيض تخفیف הנחה מבצע छूट ऑफ़र ऑफर ছাড় ส่วนลด โปรโมชั่น ลดราคา`)}`
const saleWords = new RegExp(sales, 'gu')

const oneTime = `${signInWord.source}|${stems(`
  (?:otp|pin|tan|2fa)(?!\\p{L}) passcode confirmation.code security access sicherheit zugang seguridad sécurité sicurezza segurança beveilig bezpiecz \\d.?min 安全 動態 动态 보안`)}`
const oneTimeWords = new RegExp(oneTime, 'gu')

/** The label of the number with which a bank approves a payment by card, at the end of a text. */
const approvalCode = new RegExp(String.raw`(?:(?:auth|approval|authori[sz]ation|autorisierungs|genehmigungs)\.?[ -]?(?:code|nr)|code d['’]autorisation`
  + String.raw`|código de (?:autorización|aprobación|autorização)|codice (?:di )?autorizzazione)[^\p{L}\p{N}]{0,8}$`, 'u')
const receiptWord = new RegExp(String.raw`(?<!\p{L})(?:${stems(`
  receipts? terminal merchant ref rrn tid mid aid batch beleg quittung kundenbeleg händler reçu ticket recibo comercio ricevuta scontrino esercente comprovante`)})(?!\p{L})`, 'u')
