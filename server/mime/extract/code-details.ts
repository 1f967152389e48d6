import type { CodeDetail } from '../../contract/types.gen.ts'
import { cutText, withoutInvisible } from '../clean-text.ts'
import { withAsciiDigits } from './code-candidates.ts'
import { codeWord, enterWords, expiryWord, stems } from './code-words.ts'
import { durationsIn } from './durations.ts'
import { endOfLast } from './last-match.ts'
import { wordPattern } from './word-pattern.ts'

/** A longer text is cut: the words about a code stand near it. */
const maxChars = 16 * 1024

/**
 * Reads how long each code of a mail is valid, and the host that it is bound to.
 * @param body the text with the codes
 * @param other another text of the mail, for what the first does not say
 */
export function detailsOf(codes: string[], subject: string, body: string, other = ''): CodeDetail[] {
  if (codes.length === 0) return []
  const [details, further] = [body, other].map((text) => detailsIn(codes, `${subject}\n\n${text}`)) as [CodeDetail[], CodeDetail[]]
  return details.map(({ code, expiresInSeconds, boundTo }, i) =>
    ({ code, expiresInSeconds: expiresInSeconds ?? further[i]!.expiresInSeconds, boundTo: boundTo ?? further[i]!.boundTo }))
}

function detailsIn(codes: string[], mail: string): CodeDetail[] {
  const text = withAsciiDigits(withoutInvisible(cutText(mail, maxChars)))
  const lower = text.toLowerCase().replace(prefixOfHebrew, ' ')
  const validities = validitiesIn(lower)
  const bound = boundCodesIn(text)
  return codes.map((code) => ({ code, expiresInSeconds: validityOf(code, lower, validities), boundTo: bound.get(joined(code)) ?? null }))
}

/** "ל-5 דקות", whose hyphen is that of no longer number. */
const prefixOfHebrew = /(?<=[\u05d0-\u05ea])-(?=\d)/g

/** Codes that were found in a body, and its text. */
interface Body { codes: string[], text: string }

/** Whether the page of a mail shows another code than its text, or not the code of its text. */
export function showsOtherCode(page: Body, text: Body): boolean {
  const [ofText, ofPage] = [text, page].map(({ codes }) => codes.map(joined)) as [string[], string[]]
  const [first] = ofText
  const [shown] = ofPage
  if (first === undefined) return false
  if (shown === undefined) return !hasCode(page.text, first)
  const [isInPage, isInText] = [ofPage.includes(first), ofText.includes(shown)]
  if (!isInPage && !isInText) return true
  return !(isInPage || hasCode(page.text, first)) || !(isInText || hasCode(text.text, shown))
}

const hasCode = (text: string, code: string): boolean => placesOf(code, withAsciiDigits(withoutInvisible(text)).toLowerCase()).length > 0

interface Validity { seconds: number, at: number }

/** The durations of a text that are those of codes. */
function validitiesIn(text: string): Validity[] {
  return durationsIn(text).filter(({ start, end }) => isOfCode(before(text, start), after(text, end)))
    .map(({ seconds, start }) => ({ seconds, at: start }))
}

/** The only validity of a mail holds for all of its codes; else each has the nearest one. */
function validityOf(code: string, text: string, validities: Validity[]): number | null {
  const [first] = validities
  if (!first || validities.every(({ seconds }) => seconds === first.seconds)) return first?.seconds ?? null
  const places = placesOf(code.toLowerCase(), text)
  const distances = validities.map(({ at }) => Math.min(...places.map((place) => at < place ? (place - at) * 1.5 : at - place)))
  return validities[distances.indexOf(Math.min(...distances))]!.seconds
}

/** Maximum places of a code that are compared with validities. */
const maxPlaces = 50

/** Where a code stands, also with spaces or hyphens between its characters. */
function placesOf(code: string, text: string): number[] {
  const places: number[] = []
  for (let start = text.indexOf(code[0]!); start >= 0 && places.length < maxPlaces; start = text.indexOf(code[0]!, start + 1)) {
    if (endOfCode(code, text, start) !== undefined) places.push(start)
  }
  return places
}

function endOfCode(code: string, text: string, start: number): number | undefined {
  let at = start
  for (let i = 0; i < code.length; i++) {
    if (i > 0 && text[at] !== code[i] && separators.includes(text.charAt(at))) at++
    if (text[at++] !== code[i]) return undefined
  }
  return at
}

const separators = ' \t\u00a0\u202f-'

const maxBefore = 160
const maxAfter = 100
const sentenceEnd = /[.!?;](?=\s)|[。！？；।։۔။]|\n\s*\n/gu

/** The rest of the sentence before a duration; with the line above when the duration begins its own. */
function before(text: string, start: number): string {
  const above = text.slice(Math.max(0, start - maxBefore), start)
  const rest = above.slice(Math.max(0, endOfLast(sentenceEnd, above)))
  if (/[\p{L}]/u.test(rest)) return rest
  return /[^\n]*$/.exec(above.trimEnd())![0]
}

function after(text: string, end: number): string {
  const below = text.slice(end, end + maxAfter)
  const at = below.search(sentenceEnd)
  return at < 0 ? below : below.slice(0, at)
}

/** Whether a duration, between the parts of its sentence, is how long a code is valid. */
function isOfCode(before: string, after: string): boolean {
  if (pastAfter.test(after) || pastBefore.test(before)) return false
  const sentence = `${before}\u00b7${after}`
  const namesCode = sentence.search(codeWord) >= 0
  if (otherThing.test(sentence) && !(namesCode && !otherCode.test(sentence))) return false
  if (since.test(after)) return false
  if (validWord.test(sentence)) return true
  return (namesCode || entersIt.test(sentence)) && (withinBefore.test(before) || withinAfter.test(after)) && !isOfPerson.test(sentence)
}

/** Words that say how long a code is valid, beside those of `expiryWord`. */
const validWord = wordPattern(`${expiryWord.source}|(?<!\\p{L})(?:${stems(`
  (?:good|active|works?|usable|available).(?:only.)?(?:for|within) lasts? (?:time|times).out (?:stop|cease)s?.(?:working|to.work) gilt gelten gelte läuft.\\p{L}{0,10}.{0,20}ab verfällt verfallen(?!\\p{L}) expire périme péremption gültigkeit valide[szr]? validité validez validade validità geldigheid vervalt verfalt
  scadenza scadrà caducar caduque validesa vàlid (?:vale|valen|valem|valgono|valdrà|valerá)(?!\\p{L}) caducarà platnost vyprší vyprchá löper.ut (?:går|gått).ut gäller(?!.inte) gälla giltighet utløper udløber gælder gjelder gyldighed vanhenee vanhentu umpeutuu päättyy süresi.{0,24}dol sona.er geçerlilik lejár érvényes használható
  истека истекува истече истечёт изтича изтече истиче истечет срок годен чинн закінч спливе діє дійс валид вал[іи]д важи vrijedi važi ističe istječe isteć istek velja potek poteče skadon skadu vlen vlefshme vlefshëm gildir rennur.út kehti aegub galioja galioti baigsis derīg beigsies balio iraungi caduca
  habis tamat kedaluwarsa kadaluarsa sah.(?:selama|dalam|untuk) có.giá.trị hết.hiệu etibarlı bitir amal.qiladi tugaydi жарамды аяқталады хүчинтэй дуусна дзейніч verval ikmalisho kwisha itaisha halali muda.wa nafasmi
  ivhayi jiskadi эътибор کارایە (?:i|izo)?phelelwa ƙare dod.i.ben in.éag dhac(?:ayaa|aya) کار.دەکات بەسەردەچێت valid.ua mag-e-expire may.bisa mawawalan.ng.bisa wygaśn жарамсыз`)})|${stems(`
  期限 过期 失效 失効 無効 有効 有效 유효 만료 صالح صلاحي تنتهي ينتهي صالحة معتبر اعتبار منقضی میعاد ختم.ہو کارآمد בתוקף תקף תקפה יפוג פג.תוקף ใช้ได้ หมดอายุ อายุ ໝົດອາຍຸ ໃຊ້ໄດ້ ផុតកំណត់ សុពលភាព သက်တမ်း အကျုံးဝင်
  मान्य वैध समाप्त मुदत মেয়াদ বৈধ কার্যকর செல்லுபடி காலாவதி చెల్లుబాటు చెల్లుతుంది గడువు ಮಾನ್ಯ ಅವಧಿ സാധു കാലഹരണ માન્ય સમાપ્ત ਵੈਧ ਮਿਆਦ म्याद වලංගු კოდი.მოქმედებს მოქმედ ძალაშია ვადა գործում ուժի.մեջ վավեր ժամկետ ያገለግላል ያበቃል ισχύ λήγει`)}`, 'u')

/** The objects of a request to enter codes that another sentence names. */
const objects = stems(`
  both them these each.of.them beide[ns]? sie les.deux tous.les.deux ambos ambas los.dos os.dois entrambi ambii ze båda begge molemmat oba obie obe je jih ich ga ji и.двата ги.двата ги обидва оба их їх ambele și.ambele
  και.τους.δύο tots.dos keduanya cả.hai pareho`)

/** Requests to enter what the sentence before names: "Enter it within 10 minutes". */
const entersIt = wordPattern(String.raw`(?<!\p{L})(?:${stems(`
  (?:enter|type|use).it (?:geben.sie|gib|tragen.sie|trage).(?:ihn|sie|es|diesen) (?:voer|vul|typ).(?:hem|deze|die|het) (?:indtast|skriv|brug|tast|bruk).(?:inn.)?den (?:ange|skriv|mata|använd).(?:in.)?den (?:sláðu|settu).hann
  (?:saisis(?:sez)?|entrez?|tapez?|utilisez?)-l(?:a|es?) (?:introdúce|ingrésa|ingrése|introdúzca|escríbe|escríba|digíte|utilíza|utilíce|úsa|úse)l[oa]s? (?:inserisci|inserite|digita|digitate|usa|utilizza)l[oaie] (?:introduza|insira|digite|utilize|use)-[oa]s?
  introdueix-l[oa] (?:introduceți|introdu|folosiți)-l (?:wpisz|wprowadź|podaj|użyj).(?:go|je) (?:zadejte|vložte|opište|použijte|zadajte|použite).(?:ho|jej) (?:vnesite|vpišite|uporabite).(?:jo|ga) (?:unesite|upišite|ukucajte).ga
  (?:унесите|укуцајте).га (?:внесете|впишете).го (?:введите|используйте|укажите).его (?:введіть|вкажіть|використайте).його (?:въведете|използвайте).го (?:πληκτρολογήστε|εισαγάγετε|εισάγετε|χρησιμοποιήστε).τον? sisestage.see syötä.se (?:írja|gépelje).be adja.meg
  įveskite.jį ievadiet.to masukkan.(?:dalam|sebelum) masukkannya içinde.gir(?:in|iniz)`)}|(?!(?:submit|insert|provide|copy|paste) )(?:${enterWords}) (?:${objects}))(?!\p{L})|${stems(`
  أدخله أدخليه استخدمه הזינו.אותו הזן.אותו آن.را.وارد 入力して ご入力 입력해 입력하 [输輸]入`)}`, 'u')

/** Words for "within", with which a code is to be entered. */
const withinBefore = wordPattern(String.raw`(?:(?<!\p{L})(?:${stems(`
  within in.less.than in.the.next for.the.next during have(?:.only)? innerhalb(?:.von|.der.nächsten)? binnen(?:.der.nächsten)? in.den.nächsten dans.les pendant(?:.les)? d.ici(?:.à)? sous dentro.de.(?:los.(?:próximos.)?)? durante
  en.los.próximos en.menos.de en entro per.i.prossimi nei.prossimi nos.próximos dentro.de em.até por binnen.de w.ciągu przez inom i.løpet.av inden.for innen během do unutar roku u.roku.od v în în.următoarele в.течение
  inden.for во.рок.од en.un.plazo.(?:máximo.)?de протягом впродовж до в.рамките.на в.срок.от u.narednih εντός μέσα.σε jooksul per trong(?:.vòng)? dalam(?:.waktu|.tempoh|.masa)? selama ndani.ya laba baada.ya içinde të dins.de(?:ls)? barnen innan innen abans.de en.menys.de u.roku.od у.року.од`)})|خلال|في غضون|تا|ظرف|תוך|ภายใน|ພາຍໃນ|ក្នុងរយៈពេល)[^\p{L}\d]{0,3}(?:(?:les|de|den|der|the|next|nächsten|prochaines)\s){0,2}$`, 'u')
const withinAfter = wordPattern(`^[^\\p{L}\\p{N}]{0,2}(?:${stems(`
  以?[内內] 之[内內] 이내 내에 안에 동안 içinde boyunca के.भीतर के.अंदर में এর.মধ্যে মধ্যে க்குள் లోపు ಒಳಗೆ ഉള്ളിൽ ની.અંદર ਦੇ.ਅੰਦਰ کے.اندر belül kuluessa sisällä jooksul ərzində ichida ішінде дотор განმავლობაში ընթացքում laikā အတွင်း`)})`, 'u')

/** A time in the past: "10 minutes ago". */
const pastAfter = wordPattern(`^[^\\p{L}\\p{N}]{0,2}(?:${stems(`
  ago earlier geleden sedan siden sitten önce temu zpět nazad назад тому fa(?!\\p{L}) atrás fă 前 전에? पहले قبل پہلے trước ที่แล้ว lalu før tilbage od.prije пре előtt`)})`, 'u')
const pastBefore = wordPattern(`(?:(?<!\\p{L})(?:${stems('vor il.y.a hace há před преди acum قبل לפני πριν منذ')}))\\s$`, 'u')

/** A moment that begins such a time: "within 24 hours of your order", "after the order". */
const since = wordPattern(`^ (?:${stems('of.(?:placing|your.(?:order|purchase|booking|arrival|request.to)) before.(?:arrival|departure|check) prior.to nach.(?:der.bestellung|bestellung)')})`, 'u')

/** Things that end too, or that take time. */
const otherThing = wordPattern(String.raw`(?<!\p{L})(?:${stems(`
  link links url button trial subscription membership plan offer coupon voucher discount promo sale session order delivery shipping refund reservation booking invoice invitation warranty domain certificate licen[cs]e
  (?<!one.time.|temporary.)password(?!.(?:is|below|above|:)) gutschein rabatt angebot bestellung lieferung sitzung link\\p{L}{0,4} schaltfläche probe\\p{L}{0,8} abo(?:nnement)? einladung lien essai abonnement offre commande livraison session enlace suscripción prueba oferta pedido sesión invitación
  liga assinatura encomenda sessão collegamento abbonamento offerta ordine sessione koppeling aanbieding bestelling sessie oferta zamówieni\\p{L} sesja ссылк\\p{L}{1,3} подписк\\p{L} заказ\\p{L}{0,2} сесси\\p{L}{1,2} посиланн\\p{L}{1,2} bağlantı\\p{L}{0,4} sipariş\\p{L}{0,4}
  länk\\p{L}{0,3} lenke\\p{L}{0,3} link\\p{L}{0,3} linkki\\p{L}{0,3} odkaz\\p{L}{0,2} tautan pautan`)})(?!\p{L})|リンク|セッション|链接|連結|鏈接|링크|رابط|קישור|ลิงก์|लिंक`, 'u')
const otherCode = wordPattern(String.raw`(?<!\p{L})(?:${stems('coupon voucher discount promo gutschein rabatt invoice order delivery')})(?!\p{L})`, 'u')

/** Requests to contact support or to wait: a duration beside one is a response time, not the validity of a code. */
const isOfPerson = wordPattern(String.raw`(?<!\p{L})(?:${stems(`
  contact reply respond get.back call.us arrive receive deliver(?:ed)? wait request another new.code resend kontaktier\\p{L}* antwort\\p{L}* neuen.code contact(?:ez|er) contacte responder`)})(?!\p{L})`, 'u')

/** The last line of a message with a code that is bound to a host, perhaps in a frame of another one. */
const boundCode = /^@([^\s@#%/\\]{1,253}) #([^\s#]{1,64})(?: [@%][^\s@#%/\\]{1,253})?[ \t]*$/gmu

/** @returns by code without separators, the host */
function boundCodesIn(text: string): Map<string, string> {
  const bound = new Map<string, string>()
  for (const [, written, code] of text.matchAll(boundCode)) {
    const host = URL.parse(`https://${written!}`)?.host
    if (host) bound.set(joined(code!), host)
  }
  return bound
}

const joined = (code: string): string => code.replaceAll('-', '').toLowerCase()
