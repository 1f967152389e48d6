import { anyOf, withPlainLetters } from './code-words.ts'
import { wordPattern } from './word-pattern.ts'

/** The codes of a change of address, owner, phone or device, of which the old and the new one get a code each. */

/** A word for old, new or present. */
export const ageWord = wordPattern(String.raw`(?<!\p{L})(?:${anyOf(withPlainLetters(`
  old new current previous present former alte[nrms]?(?!\\p{L}) neue[nrms]? bisherig aktuell derzeitig ancien nouve(?:au|l) actuel précédent anterior antigu viej[oa] actual nuev[oa] antig[oa] nov[oa] atual
  vecchi nuov[oa] attual precedent antic vell(?:a|s)? nou(?:a|l|lui)?(?!\\p{L}) nova noi noii vech(?:i|e|ii) oude?(?!\\p{L}) nieuwe? huidig gaml nuvarande ny[aet]?(?!\\p{L}) nuværende nåværende gaml núverand ný[js] ou(?!\\p{L}) nuwe
  star(?:[aáeéouyý]|[eé]ho|[eé]j|og|ou|ú|om|ega|emu|ých|ym|ým|i|ii) now(?:y|a|e|ego|ej) obecn poprzedn nov(?:ý|á|é|ého|ej|ou|ú|ega|e|og|i|u) současn súčasn předchoz predch sedanj sadašnj trenutn prethodn prejšnj
  стар[аоыиуэеј] нов(?:[аоиеуы]|ый|ой|ого) сегашн садашњ текущ предыдущ прежн поточн нинішн попередн цяперашн бягуч тренутн претходн тековн senoj naujoj dabartin vecā jaunā pašreizēj vana uue praegu vanha uude nykyi
  régi új(?!\\p{L}) jelenlegi korábbi παλι νέ[αοηω] νέου νέας σημεριν τωριν προηγούμεν νυν eski yeni mevcut önceki köhnə ескі жаңа қазіргі yangi hozirgi vjetër aktual r[ei](?!\\p{L}) zahar berri egung hen(?!\\p{L}) newydd presennol
  ישנה ישן הישן הישנה נוכחי הנוכחי חדש החדש החדשה cũ mới hiện.tại lama baru saat.ini baharu semasa zamani mpya kipya sasa ძველ ახალ ამჟამინდელ հին նոր ներկայ хуучин шинэ одоо`))})\p{L}{0,5}(?!\p{L})|${anyOf(`
  القديم الجديد الحالي السابق قدیم جدید فعلی پران نئ موجودہ पुरान नए नया नई वर्तमान मौजूदा পুরনো পুরোনো নতুন বর্তমান பழைய புதிய தற்போதைய పాత కొత్త ప్రస్తుత เก่า ใหม่ ปัจจุบัน เดิม 旧 舊 原 新 现 現 기존 새 현재 이전`)}`, 'u')

/** The nouns that such a word stands beside. */
const things = wordPattern(String.raw`(?<!\p{L})(?:${anyOf(withPlainLetters(`
  addres adres direcci endereç enderezo indirizz adreç naslov cím helbide osoit aadress gyfeiriad cyfeiriad anwani manzil alamat e-?mail mail correo courriel netfang
  holder owner titular titulaire inhaber intestatari houder eienaar eier ejer ägare innehavar eigand majite vlastní vlasni lastnik właścicie savinink īpašniek omanik omistaj tulajdonos sahib egasi pronar jabe deiliad pemilik mmiliki
  phone telefon telefoon telefón teléfono téléphone telèfon móvil celular mobil handy puhelim puhelin tālruņ síma foon ffôn simu telepon nummer númer numéro numer
  device dispositi appareil apparecchi aparelho gerät toestel apparaat enhet enhed uređaj zařízení zariaden urządze naprav seadme laitte eszköz készülék cihaz qurilma pajisj gailu dyfais ddyfais kifaa įrengini ierīc tæki perangkat peranti
  адрес телефон мобил номер владел власник титуляр собствен сопственик ўладальнік уладальнік тэлефон устройств пристр прылад уређај уред мекенжай иесі құрылғы хаяг утас эзэмш төхөөрөмж
  διεύθυν κατόχ κάτοχ τηλεφών συσκευ հասցե սեփական հեռախոս սարք მისამართ მფლობელ ტელეფონ მოწყობილ`))})|${anyOf(`
  כתובת בעלים טלפון מכשיר عنوان مالك هاتف جهاز بريد نشانی مالک تلفن دستگاه گوشی ایمیل पते पता धारक फ़ोन फोन डिवाइस ईमेल ঠিকান মালিক ফোন ডিভাইস ইমেল முகவரி உரிமையாள தொலைபேசி சாதன 邮箱 信箱 郵箱 地址 手机 手機 户主 持有人 设备 裝置 이메일 메일 주소 소유자 휴대전화 전화 기기`)}`, 'u')

/**
 * Whether a label is that of the old or the new one of such a change.
 * @param nouns those beside "code"
 * @param label the words beside it, in lower case
 */
export const isOfChange = (nouns: string[], label: string): boolean => ageWord.test(label) && things.test(label)
  && nouns.map((noun) => noun.toLowerCase()).every((noun) => noun === '' || noun === 'का' || things.test(noun) || ageWord.test(noun))
