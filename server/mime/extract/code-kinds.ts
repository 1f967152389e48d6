import { codeWord, enterWords, expiryWord, linkAfter, oneTimeContext, oneTimeWord, plainCodeWord, signInSubject, stems } from './code-words.ts'
import type { Candidate } from './code-boxes.ts'

/**
 * The kinds of codes, in lower case. Things of every kind have a code: a branch, a meter, a patient, a tariff. So "code" beside a noun is one
 * for a person to type or to show only when the noun is known for it, or when the mail has other words for such a code.
 */

/** Nouns and adjectives of codes for a person, in any part of a word. */
const kinds = stems(`
  secur siguri segur sécurit sicurezz sicherheit säkerhet sikkerhe öryggis turvakood turvalis turvako biztonság bezpiecz bezpečn varnost güvenlik ασφαλ безопасн безпек бяспек сигурн безбед saugos drošīb keselamatan
  keamanan bảo.mật an.toàn امنی الأمان אבטחה सुरक्षा নিরাপত্তা பாதுகாப்பு భద్రత ความปลอดภัย 安全 セキュリティ 보안 უსაფრთხო անվտանգ қауіпсіз аюулгүй xavfsiz təhlükəsiz
  confirm konfirm validaci validati validazi validaç kinnitus ellenőrz jóváhagy ověřov overov patvirtin apstiprin пацвярд удостовер provjer проверочн sprawdzaj
  authoris authoriz autoris autoriz авториз оторизац аўтарыз approv aprobaci aprovaç godkänn goedkeur genehmig freigabe zatwierdz schval schvaľ onayla phê.duyệt kelulusan persetujuan 승인 承認 授[权權] التفويض الموافقة
  accesso d.accès acceso acesso zugang zugriff toegang adgang tilgang åtkomst tillträd pääsy hozzáfér dostęp přístup prístup pristup dostop достъп доступ пристап уваход ўваход најав пријав prijav πρόσβασ prieigos piekļuv aðgang
  juurdepääs truy.cập الوصول الدخول دسترسی ورود גישה כניסה प्रवेश アクセス 입장 접속 เข้าถึง [访訪][问問] erişim sarbide
  activati activaci ativaç attivazi aktivier aktivac aktiver aktywac aktivasyon activeri aktivoin ενεργοποί активир активац активаці актывац تفعيل فعال.?ساز הפעלה सक्रिय 激活 [開开]通 有効化 활성 kích.hoạt virkjun freischalt habilita etkinleş
  recover recuper récupér wiederherstell herstel återställ gjenoppret gendann palautus odzysk obnoven visszaáll восстанов відновл възстанов kurtarma backup réinit restabl ripristin di.riserva zapasow záložn helyreáll varmuus rücksetz [重恢復][置設设复原] 복구 [备備]用
  unlock entriegel entsperr déverr desbloq sblocc ontgrendel upplåsning opplåsing odblok odemyk otključ разблок розблок kilit.aç 解[锁鎖錠] 잠금 فتح apertura öffnung åbning otwarci
  pick.?up collection retrait retirad retiro ritiro recogid recolh recollid levantament entrega livraison consegna abhol zustell ophaal afhaal bezorg utlämning afhentning udlevering utlevering luovutus väljastus atsiėmim
  saņemšan izsniegšan odbioru wydania vyzvednut vyzdvihnut preuzimanj prevzem átvétel ridicar livrare παραλαβ παράδοσ получени получаван выдач доставк отримання видач doručen teslim pengambilan penyerahan 取[件货貨餐] 提[货貨取] 受け?取 引渡 수령 픽업
  استلام تسليم تحویل איסוף מסירה पिकअप डिलीवरी ডেলিভারি nhận.hàng giao.hàng delivery dorëzim handover
  locker lockbox key.?(?:box|safe) haustür türöffn schließfach digicode portail puerta casillero taquilla cancello armadietto cassetta drzwi skrytk domofon rekesz πόρτα πύλη θυρίδα двер шкаф ячейк поштомат комірк 玄関 ドア 宅配ボックス 출입 현관 사물함
  الباب بوابة خزانة दरवाज ประตู nøkkelboks schlüsselbox llaves chiavi entrance keypad
  invit einlad uitnod inbjud zaprosz pozván приглаш запрош convite davet meghív lời.mời 邀[请請] 招待 초대 دعوة pairing appair appaia emparej pareament koppel kopplung paring párovac сопряж eşleş [配][对對] ペアリング 페어링 appareil dispositivo [設设][備备] 裝置 デバイス 기기 meeting
  secret geheim hemlig hemmelig salainen tajn segreto secreto confiden секрет таємн السري dinámic dinamic dynami [动動][态態] single.use 次使用 [单單]次 handtekening firma.(?:elettronica|digitale) de.firma unterschrift 署名 서명
  tempor identifi(?!\\p{L}+.fis) ідентиф идентиф удостов [识識][别別] [随隨][机機] 令牌 通行 registra regístr registro регистр реєстр rejestr kayıt 登[录錄入] [注註][册冊] 등록 登録`)

/** Such words that are also parts of others: at the start of a word. */
const shortKinds = stems(`
  pin puk otp sms e-?mail tan 2fa mfa uniqu?es? [uú]nic[oa] d.usage access acces adgangs valid verif check.?in doors? gates? entry tür fach porta?(?![\\p{L}]) porte porton[ei]? poort deur kluis dörr port(?:en|kod) skåp dør skap ovi(?:koo|en) kaapin
  uks kapp bram dveř dverí brán ajtó kapu ușii poartă врат kapı dolap דלת שער לוקר ตู้ cửa pintu loker derës mlango durų durvju odbiór výdej hämt hente?(?:kod|-) nouto sótt onay bekräft reset yedek ersatz zálo join device gerät wi.?fi wlan
  pass tv kutsu kutse покан unik imza podpis подпис สั่ง รับ`)
const kindWord = new RegExp(`${kinds}|(?<!\\p{L})(?:${shortKinds}|(?:${enterWords})(?!\\p{L}))|${signInSubject.source}|${oneTimeWord.source}`, 'u')

/** Words beside "code" that tell no kind. */
const plainWords = new RegExp(String.raw`^(?:\d{1,2}|${stems(`
  a an the this that your our my his her their its following new next above below same right correct unique special requested numeric digits? digit \\d+.digit number numbers no enter use type is are as with and or to for of by from on in at it you which
  der die das den dem des ein eine einen einem ihr ihre ihren ihrem dein deine deinen deinem unser diesen diese dieser dieses diesem folgende folgenden folgender neuer neue neuen mit per und oder lautet ist zum zur für von aus auf \\d+.?stellige[rn]? unten
  le la les l un une votre ton notre ce cet cette ces son sa suivant suivante nouveau nouvelle est et ou pour par avec sur dans ci-dessous voici au aux
  el la los las un una tu su nuestro este esta ese nuevo siguiente es y o para por con en abajo se
  il lo gli un uno tuo suo vostro questo questa nuovo seguente è e ed o per con qui di da
  o os a as um uma seu sua teu tua este esse novo seguinte é e ou para por com em abaixo
  de het een je jouw uw deze dit nieuwe volgende onderstaande is en of voor met via in
  en ett din ditt er din den det denne dette ny nya nye nedan nedenfor følgende följande är er og och eller för for til till med via
  on tämä tämän tällä sinun seuraava uusi uuden se ja sekä
  twój twoja pana pani państwa ten tego tym nowy następujący poniższy to jest i lub do dla z na oto
  váš vaše váši tvůj tvoj tento tohoto tímto nový následující nasledujúci je a nebo alebo pro pre k na s z níže
  az a ez ezt ön öné te új alábbi következő és vagy
  vaš vaša tvoj tvoja ovaj ta to novi nov sljedeći sledeći naslednji je i in za s sa
  acest acestui acesta tău dumneavoastră dvs nou următorul este și sau pentru cu
  ваш вашего твой твоя это этот этим этого новый следующий и или для по с в из ваша цей новий наступний є та або з у вашият твоят този нов следния следният е и или за със на ваши овој овај твој нови следећи следниов је
  το ο του σας σου αυτός αυτόν αυτόν νέος ακόλουθο εξής είναι και ή για με
  senin sizin bu yeni aşağıdaki haneli ve veya için ile bir şu bizim sənin sizning mana ushbu quyidagi сіздің осы мына жаңа таны энэ шинэ
  kamu anda ini itu baru berikut adalah dan atau untuk dengan ialah yang
  của bạn quý khách này mới là và hoặc cho để dưới đây sau vui lòng nhập
  jūsų šis šį naujas jūsu šis šo jauns teie see uus sinu teid þinn þitt nýi kóðinn yt juaj ky ri zure hau berria el teu aquest nou y ang iyong ang mo na ito wako yako hii huu
  ak el من هو هذا الخاص بك التالي الجديد لك ل في את הבא זה שלך החדש هو شما این جدید زیر است آپ کا یہ ہے
  आपका आपके यह नया निम्न है में आपकी तुमचा हा माझा আপনার এই নতুন হল நீங்கள் உங்கள் இந்த மீ మీ ఈ તમારો આ ਤੁਹਾਡਾ ഈ താങ്കളുടെ నిమ్న ձեր այս ნ თქვენი ეს
  다음 아래 위 이 새 귀하의 고객님의 회원님의 당신의 입력`)})$`, 'u')

/** The end of words for "this" and "of" before "code", in scripts that write words without spaces. */
const plainAhead = /(?:[のこそ本記下上次式新用字るた的此该該这這个個是为為入]|使用|以下|ဤ|သင့်)$/u
/** Letters behind "code" that say no more than it, in such scripts: "รหัสของคุณ". */
const plainBehind = /^(?:ของ|นี้|คือ|ต่อไปนี้|ด้านล่าง|ที่|เพื่อ|ใน|สำหรับ|ຂອງ|ນີ້|ແມ່ນ|ខាង|នេះ|របស់|គឺ|ដើម្បី)/u

/** Words for "of" behind "code", with the noun behind them. */
const genitive = /^(?:de|del|de la|de los|della|dello|dell|do|da|dos|das|di|du|des|der|des|van|van de|of|i|e|no|nr|nº|n°|id) (?=\p{L})/u
/** Words for "for" behind "code": what follows is a purpose. */
const purpose = /^(?:for|to|for|für|zum|zur|pour|para|per|voor|för|for|til|till|pro|pre|dla|za|за|для|για|untuk|cho|pentru|ل|ל)(?!\p{L})/u

/** Words of a mail with which a code beside any noun is one for a person. */
const evidence = new RegExp(`${expiryWord.source}|${oneTimeContext.source}|${signInSubject.source}|${oneTimeWord.source}|(?<!\\p{L})(?:${enterWords})(?!\\p{L})`, 'u')
export const hasEvidence = (source: string): boolean => evidence.test(source.toLowerCase())

/** Whether the word "code" that leads to a number stands beside a noun of no known kind: "Branch code: 4812". */
export function isOfUnknownKind(source: string, { start, end }: Candidate): boolean {
  const above = source.slice(Math.max(0, start - maxChars), start).replaceAll('İ', 'I') // which has another length in lower case
  const before = lastCodeWord(above)
  if (before) return !/\d{4}[^\n]*\n/.test(above.slice(before.index)) && hasUnknownNoun(above, before)
  const after = source.slice(end, end + maxChars)
  const lower = after.toLowerCase()
  codeWord.lastIndex = 0
  const behind = linkAfter.test(lower) ? null : codeWord.exec(lower)
  return behind !== null && hasUnknownNoun(after, behind)
}
const maxChars = 140

function lastCodeWord(text: string): RegExpExecArray | null {
  const lower = text.toLowerCase()
  let last: RegExpExecArray | null = null
  codeWord.lastIndex = 0
  for (let match = codeWord.exec(lower); match; match = codeWord.exec(lower)) last = match
  return last
}

const wordsAhead = /(?:[\p{L}\p{M}\p{N}'’&.+-]{1,40}[ \u00a0]){0,3}[\p{L}\p{M}\p{N}'’&.+-]{0,40}$/u
const wordsBehind = /^[\p{L}\p{M}'’]{0,40}(?:[ \u00a0]\(?[\p{L}\p{M}'’&+-]{1,40}\)?){0,6}/u

function hasUnknownNoun(text: string, { index, 0: word }: RegExpExecArray): boolean {
  if (!plainCodeWord.test(word)) return false
  const end = index + word.length
  const ahead = wordsAhead.exec(text.slice(0, index))![0].replace(/^.*\p{L}{2}\.[ \u00a0]/u, '')
  const behind = wordsBehind.exec(text.slice(end))![0]
  if ([ahead, behind].some((words) => kindWord.test(words.toLowerCase()))) return false
  const isCapital = /^\p{Lu}/u.test(text.slice(index, end))
  return isUnknownAhead(ahead, isCapital) || isUnknownBehind(behind, isCapital)
}

function isUnknownAhead(ahead: string, isCapital: boolean): boolean {
  const words = ahead.split(/[ \u00a0]/)
  const joined = words.pop()!
  if (joined === '' ? words.length === 0 : withoutSpaces.test(joined)) return false
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(joined)) return !plainAhead.test(joined)
  if (/^[\p{Script=Arabic}\p{Script=Hebrew}]{1,4}$/u.test(joined)) return false
  const word = joined || words.pop()!
  if (plainWords.test(word.toLowerCase())) return false
  return !(words.length > 0 && !isCapital && name.test(word))
}

function isUnknownBehind(behind: string, isCapital: boolean): boolean {
  const [joined = '', ...words] = behind.split(/[ \u00a0]/)
  if (withoutSpaces.test(joined)) return !plainBehind.test(joined)
  const text = words.join(' ')
  const lower = text.toLowerCase()
  if (words.length === 0 || words.length > 5 || purpose.test(lower)) return false
  const noun = text.slice(genitive.exec(lower)?.[0].length ?? 0).split(' ')[0]!
  return !plainWords.test(noun.toLowerCase()) && !(name.test(noun) && !isCapital)
}

const withoutSpaces = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
const name = /^\p{Lu}.*\p{Ll}/u
