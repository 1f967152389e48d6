import { stems } from './code-words.ts'
import { wordPattern } from './word-pattern.ts'

/** Durations in a text in lower case, with ASCII digits. */

export interface Duration { seconds: number, start: number, end: number }

const [minute, hour, day] = [60, 3_600, 86_400] as const

/** Words for units, by their seconds. In a list `.` stands for one character. */
const units: [seconds: number, words: string][] = [
  [1, `s secs? seconds? sekund\\p{L}{0,4} sek secondes? seconden segundos? segons? second[oi] sekun\\p{L}{1,5} saniye\\p{L}{0,4} saniyə\\p{L}{0,4} soniya\\p{L}{0,3}
    секунд\\p{L}{0,3} сек másodperc\\p{L}{0,3} secunde δευτερόλεπτ\\p{L}{1,2} sekúnd\\p{L}{0,3} detik giây ثانية ثوان ثواني ثانیه سیکنڈ שניות सेकंड सेकेंड সেকেন্ড விநாடி\\p{L}{0,4}
    సెకన్\\p{L}{0,4} ಸೆಕೆಂಡ್\\p{L}{0,4} സെക്കൻഡ്\\p{L}{0,4} સેકન્ડ ਸਕਿੰਟ წამ\\p{L}{0,3} վայրկյան\\p{L}{0,3} sekonda segundu\\p{L}{0,3}`],
  [minute, `m min mins minutes? minuten? minuti minuto minutos minuts? minut\\p{L}{0,5} minút\\p{L}{0,3} minuutt?\\p{L}{0,4} minuter perc\\p{L}{0,3} dakika\\p{L}{0,4} dk dəqiqə\\p{L}{0,3} daqiqa\\p{L}{0,3}
    минут\\p{L}{0,3} мин хвилин\\p{L}{0,2} хв хвілін\\p{L}{0,2} дақиқа λεπτ(?:ό|ά|ών|α|ων) mínút\\p{L}{0,3} minū\\p{L}{1,4} minu[tč]\\p{L}{1,3} menit minit minutu\\p{L}{0,3} phút دقيقة دقائق دقیقه دقیقو خولەک\\p{L}{0,2} منٹ دقيقه דקות דקה
    मि(?:नट|निट|नेट)[\\p{L}\\p{M}]{0,8} মিনিট\\p{M}?\\p{L}{0,3} நிமிட[\\p{L}\\p{M}]{0,12} నిమిష[\\p{L}\\p{M}]{0,6} ನಿಮಿಷ[\\p{L}\\p{M}]{0,12} മിനിറ്റ[\\p{L}\\p{M}]{0,4} മിനിറ്റ് મિનિટ[\\p{L}\\p{M}]{0,4} ਮਿੰਟ[\\p{L}\\p{M}]{0,3}
    წუთ\\p{L}{0,3} րոպե\\p{L}{0,3} minutë munud nóiméad minutoj daqiiqo mintuna ደቂቃ[\\p{L}]{0,3} මිනිත්තු minutin`],
  [hour, `h hrs? hours? stunden? std heures? horas? or[ae] hores uur uren godzin\\p{L}{0,2} godz hodin\\p{L}{0,3} tim(?:me|mar|e|er)? tund\\p{L}{0,3} tunni tunnin tuntia óra órá\\p{L}{0,3} óráig saat(?:tir|lik|te)? saat soat\\p{L}{0,3}
    час(?:а|ов|ове|у)? годин\\p{L}{0,2} гадзін\\p{L}{0,2} сағат\\p{L}{0,3} цаг\\p{L}{0,4} ώρ(?:α|ες|ών|ας) ωρ(?:α|ες|ων) klukkust\\p{L}{0,5} klst stund\\p{L}{0,2} valand\\p{L}{0,2} ordu\\p{L}{0,2} jam giờ tiếng ساعة ساعات ساعت ساعتی گھنٹے گھنٹہ گھنٹوں שעות שעה
    घंटे घंटा घंटों घण्टे तास ঘন্টা[\\p{L}\\p{M}]{0,3} ঘণ্টা[\\p{L}\\p{M}]{0,3} மணி.?நேர[\\p{L}\\p{M}]{0,5} గంట[\\p{L}\\p{M}]{0,3} ಗಂಟೆ[\\p{L}\\p{M}]{0,3} മണിക്കൂ[\\p{L}\\p{M}]{0,4} કલાક[\\p{L}\\p{M}]{0,3} ਘੰਟੇ ਘੰਟਾ საათ\\p{L}{0,3} ժամ\\p{L}{0,3} orë awr siegħa horoj sati sata ur[aeoi] oră ore`],
  [day, `d days? tage? tagen jours? d[ií]as? dies giorn[oi] dag(?:en|ar|er|e|a)? dygn døgn dni dzień dny dní deň den päiv\\p{L}{1,4} nap(?:ig|on)? gün gündür dn[eia] dan[ai]?
    дн(?:я|ей|і|ів|и) день суток сутки добу діб дзён дні күн өдөр kun zile päeva hari ngày يوم أيام ايام روز دن ימים יום दिन दिनों দিন நாட்கள் రోజు[\\p{L}\\p{M}]{0,3} ದಿನ[\\p{L}\\p{M}]{0,4} ദിവസ[\\p{L}\\p{M}]{0,4} દિવસ ਦਿਨ ημέρ\\p{L}{1,2} μέρ\\p{L}{1,2} dien\\p{L}{1,3} dienų ditë egun\\p{L}{0,2} დღე օր`],
]

/** Of scripts that put no space behind a unit. */
const unitsWithoutSpace: [seconds: number, words: string][] = [
  [1, '秒[钟鐘間间]? 초 วินาที ວິນາທີ វិនាទី စက္ကန့်'],
  [minute, '分[钟鐘間间]?(?![享かり]|の\\d) 분 นาที ນາທີ នាទី မိနစ်'],
  [hour, '(?:个|個)?小[时時] 時間 钟头 鐘頭 시간 ชั่วโมง ຊົ່ວໂມງ ម៉ោង နာရီ'],
  [day, '天 日[間间]? 일 วัน ມື້ ថ្ងៃ ရက်'],
]

/** Numbers from 1 to 30, for 90 and others that codes are valid for, each with its words. */
const numberWords = new Map(Object.entries({
  1: `one an a eine einer einem einen ein une un una uno uma um een één en ett ena jedna jedną jednu jednej jednoj одного один одну одна одной однієї bir satu một μία μια en.enkelt yksi yhden egy`,
  2: 'two zwei deux dos dois duas due twee dwie dwóch två to два две двух дві двох iki dua hai δύο kaksi két kettő dvě dvou',
  3: 'three drei trois tres três tre drie trzy trzech tři три трёх трех трьох üç tiga ba τρεις kolme három',
  4: 'four vier quatre cuatro quatro quattro cztery fyra fire čtyři четыре четырёх чотири dört empat bốn neljä négy',
  5: 'five fünf cinq cinco cinque vijf pięć pięciu fem pět pěti пять пяти п’ять пʼять п\'ять beş lima năm πέντε viisi viiden öt cinci',
  6: 'six sechs seis sei zes sześć sex seks шесть шести шість altı enam sáu kuusi hat',
  7: 'seven sieben sept siete sete sette zeven siedem sju syv семь семи сім yedi tujuh bảy hét',
  8: 'eight acht huit ocho oito otto osiem åtta otte восемь восьми вісім sekiz delapan tám nyolc',
  9: 'nine neun neuf nueve nove negen dziewięć nio ni девять девяти dokuz sembilan chín kilenc',
  10: 'ten zehn dix diez dez dieci tien dziesięć dziesięciu tio ti deset deseti десять десяти on sepuluh mười δέκα kymmenen tíz zece',
  11: 'eleven elf onze once undici', 12: 'twelve zwölf douze doce doze dodici twaalf tolv двенадцать двенадцати', 13: 'thirteen dreizehn treize trece treze tredici dertien',
  14: 'fourteen vierzehn quatorze catorce catorze quattordici veertien', 15: `fifteen fünfzehn quinze quince quindici vijftien piętnaście piętnastu femton femten patnáct patnácti
    пятнадцать пятнадцати п’ятнадцять п\'ятнадцять on.beş δεκαπέντε viisitoista viidentoista tizenöt mười.lăm cincisprezece`,
  16: 'sixteen sechzehn seize dieciséis dezasseis sedici zestien', 17: 'seventeen siebzehn dix-sept diecisiete dezessete diciassette zeventien',
  18: 'eighteen achtzehn dix-huit dieciocho dezoito diciotto achttien', 19: 'nineteen neunzehn dix-neuf diecinueve dezenove diciannove negentien',
  20: 'twenty zwanzig vingt veinte vinte venti twintig dwadzieścia dwudziestu tjugo tyve dvacet двадцать двадцати yirmi dua.puluh είκοσι kaksikymmentä húsz hai.mươi douăzeci',
  21: 'twenty.one einundzwanzig vingt.et.un veintiún vinte.e.um ventuno eenentwintig', 22: 'twenty.two zweiundzwanzig vingt.deux veintidós ventidue',
  23: 'twenty.three dreiundzwanzig vingt.trois veintitrés ventitré', 24: 'twenty.four vierundzwanzig vingt.quatre veinticuatro vinte.e.quatro ventiquattro vierentwintig двадцать.четыре',
  25: 'twenty.five fünfundzwanzig vingt.cinq veinticinco vinte.e.cinco venticinque', 26: 'twenty.six sechsundzwanzig', 27: 'twenty.seven siebenundzwanzig',
  28: 'twenty.eight achtundzwanzig', 29: 'twenty.nine neunundzwanzig',
  30: 'thirty dreißig dreissig trente treinta trinta trenta dertig trzydzieści trzydziestu trettio tretti tredive třicet тридцать тридцати otuz tiga.puluh τριάντα kolmekymmentä harminc ba.mươi treizeci',
  45: 'forty.five fünfundvierzig', 48: 'forty.eight achtundvierzig quarante.huit cuarenta.y.ocho', 60: 'sixty sechzig soixante sesenta sessenta sessanta zestig шестьдесят', 90: 'ninety neunzig noventa novanta',
}).flatMap(([value, words]) => words.trim().split(/\s+/).map((word) => [word.replaceAll('.', ' '), Number(value)] as const)))

/** Phrases without a number, such as "half an hour". */
const phrases: [seconds: number, words: string][] = [
  [minute / 2, 'half.a.minute halbe.minute halben.minute'],
  [hour / 4, 'quarter.of.an.hour viertelstunde quart.d.heure cuarto.de.hora quarto.d.ora kwartier четверть.часа kwadrans'],
  [hour / 2, `half.an.hour half.hour halbe.stunde halben.stunde demi.heure media.hora meia.hora mezz.ora mezza.ora half.uur pół.godziny halvtimme halv.time půl.hodiny půlhodiny polchasa полчаса
    пів.години півгодини yarım.saat puoli.tuntia puolen.tunnin fél.óra(?:ig)? setengah.jam nửa.(?:giờ|tiếng) نصف.ساعة نیم.ساعت חצי.שעה आधे.घंटे μισή.ώρα jumătate.de.oră`],
  [2 * minute, 'دقيقتين دقيقتان'], [2 * hour, 'ساعتين ساعتان שעתיים'], [2 * day, 'يومين יומיים'],
]
const phrasesWithoutSpace: [seconds: number, words: string][] = [[hour / 2, '半(?:个|個)?小[时時] 반.?시간'], [hour, '(?:한|1).?시간']]

/** One hour or day, which needs no word for "one" behind a word for "within". */
const singles: [seconds: number, words: string][] = [[hour, 'hour stunde heure hora ora uur часа години godziny godzinę hodiny ساعة ساعت שעה'], [day, 'day суток доби doby']]
const withinOfSingle = stems(`within.the.next innerhalb.der.n[äa]chsten innerhalb.einer dans.l.prochaine durante.la.próxima в.течение протягом w.ciągu przez během خلال لمدة تا תוך למשך`)

/** Units of languages that put the number behind them. */
const unitsBefore: [seconds: number, words: string][] = [
  [1, 'sekunde'], [minute, 'dakika minti විනාඩි මිනිත්තු မိနစ် imizuzu.eyi emizuzwini.emi emizuzwini.eyi emizuzwini.engu'], [hour, 'saa පැය'], [day, 'siku'],
]

const hanDigits = '〇一二三四五六七八九'
const hanNumber = '[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九]'

function readHan(text: string): number {
  const [tens, ones] = text.includes('十') ? text.split('十') as [string, string] : ['', text]
  const digit = (one: string) => one === '两' ? 2 : hanDigits.indexOf(one)
  return (text.includes('十') ? (tens === '' ? 1 : digit(tens)) * 10 : 0) + (ones === '' ? 0 : digit(ones))
}

const number = String.raw`\d{1,4}(?:[.,]5)?`
const gap = String.raw`[ \t\u00a0\u202f\n-]{0,2}`
/** An amount behind these is no duration: "v10 minutes", "1.10 h", "3:10 h". */
const notBehind = String.raw`(?<![\d:/#+-]|(?:(?<!\d)\d{1,3}|\s|^)[.,]|\p{Script=Latin}|\d[月年년点點时時월시] ?)`
/** Numbers in digits, at which alone V8 tries the first expression, and in words. A unit has to follow. */
const amounts = [
  wordPattern(String.raw`${notBehind}(?:(?<digits>${number})|(?<han>${hanNumber}))`, 'gu'),
  wordPattern(String.raw`${notBehind}(?<word>${stems([...numberWords.keys()].map((word) => word.replaceAll(' ', '.')).join(' '))})(?![\p{L}\p{M}])`, 'gu'),
]
const groupsOf = (lists: [number, string][], name: string) => lists.map(([seconds, words]) => `(?<${name}${seconds}>${stems(words)})`).join('|')
/**
 * A unit behind an amount, with another form of the amount in brackets, "10 (ten) minutes", or "de", "30 de minute". Its group
 * has the seconds in its name.
 */
const unitBehind = wordPattern(String.raw`(?:${gap}\((?:(?<inBrackets>\d{1,3})|[^()\d\n]{2,15})\))?`
  + String.raw`(?: de(?= ))?${gap}(?:(?:${groupsOf(units, 'unit')})(?![\p{L}\p{M}])|${groupsOf(unitsWithoutSpace, 'alone')})`, 'uy')
/** Durations without an amount, and of languages that put it behind the unit. */
const phrase = wordPattern([
  String.raw`(?<![\p{L}\p{M}])(?:${groupsOf(phrases, 'phrase')})(?![\p{L}\p{M}])|${groupsOf(phrasesWithoutSpace, 'alone')}`,
  String.raw`(?<=(?<!\p{L})(?:${withinOfSingle})[ ])(?:${groupsOf(singles, 'single')})(?![\p{L}\p{M}])`,
  String.raw`(?<!\p{L})(?:${groupsOf(unitsBefore, 'before')})[ -](?<amount>\d{1,3})(?![\d:]|[.,]\d)`,
].join('|'), 'gu')
const between = String.raw`(?:${gap}(?:and|und|et|y|e|en|i|и|och|og)?${gap})`

/**
 * One hour in further words, and without one behind a verb: "platí hodinu". They have an expression of their own, since one above takes
 * twice the time with a few alternatives more.
 */
const oneHour = new RegExp(String.raw`(?:${stems(`
  sat.vremena jedan.sat сат.времена један.сат un.ora o.oră tund.aega ühe.tunni един.час eina.klukkustund vieną.valandą vienu.stundu én.time eno.uro לשעה.אחת לשעה hodinu(?<=plat(?:í|ný).hodinu) godzinę(?<=ważn[ya].godzinę)
  час(?<=(?:действует|действителен).час) годину(?<=(?:діє|дійсний).годину) tunnin(?<=voimassa.tunnin) valandą(?<=galioja.valandą) stundu(?<=derīgs.stundu) klukkutíma(?<=gildir.í.klukkutíma)`)})(?![\p{L}\p{M}])`, 'gu')

const joined = new RegExp(`^${between}$`, 'u')

/** Maximum durations of a kind that are read of a text: a mail has few, and each takes some expressions. */
const maxDurations = 100

/** Finds durations, such as "10 minutes", "half an hour" and "1 hour and 30 minutes", which is one. */
export function durationsIn(text: string): Duration[] {
  const found: Duration[] = []
  const ofAmounts = amounts.flatMap((pattern) =>
    text.matchAll(pattern).map((match) => ofAmount(match, text)).filter((each) => each !== undefined).take(maxDurations).toArray())
  const ofPhrases = text.matchAll(phrase).take(maxDurations).map(ofPhrase).toArray()
  for (const duration of [...ofAmounts, ...ofPhrases].sort((a, b) => a.start - b.start)) {
    const last = found.at(-1)
    if (last && duration.start < last.end) continue
    // a smaller unit follows
    if (last && last.seconds >= hour && duration.seconds < hour && joined.test(text.slice(last.end, duration.start))) {
      last.seconds += duration.seconds
      last.end = duration.end
    } else found.push(duration)
  }
  oneHour.lastIndex = 0
  for (let match = oneHour.exec(text); match && found.length < maxDurations; match = oneHour.exec(text)) {
    if (!/[\p{L}\p{M}]/u.test(text.charAt(match.index - 1))) found.push({ seconds: hour, start: match.index, end: oneHour.lastIndex })
  }
  return found
}

function ofAmount(match: RegExpMatchArray & { index: number }, text: string): Duration | undefined {
  const { digits, word, han } = match.groups!
  unitBehind.lastIndex = match.index + match[0].length
  const unit = unitBehind.exec(text)
  if (!unit) return undefined
  const amount = digits !== undefined ? Number(digits.replace(',', '.'))
    : word !== undefined ? numberWords.get(word.replace(/[^\p{L}’'ʼ]/gu, ' ')) ?? numberWords.get(word) : readHan(han!)
  const { inBrackets } = unit.groups!
  if (amount === undefined || amount === 0 || (inBrackets !== undefined && Number(inBrackets) !== amount)) return undefined
  const seconds = /saat$/.test(unit[0]) && ofMalay.test(text) ? 1 : secondsOf(unit)
  return { seconds: Math.round(amount * seconds), start: match.index, end: unitBehind.lastIndex }
}

const ofPhrase = (match: RegExpExecArray): Duration =>
  ({ seconds: secondsOf(match) * Number(match.groups!['amount'] ?? 1), start: match.index, end: match.index + match[0].length })

/** The seconds of a unit, from the name of its group. */
const secondsOf = ({ groups }: RegExpExecArray): number =>
  Number(/\d+$/.exec(Object.keys(groups!).find((name) => /\d/.test(name) && groups![name] !== undefined)!)![0])

/** In Malay, "saat" is a second; in Turkish, an hour. */
const ofMalay = /(?<!\p{L})(?:dalam|tempoh|selama|anda)(?!\p{L})/u
