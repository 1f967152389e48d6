import type { Candidate } from './code-boxes.ts'
import { ageWord, isOfChange } from './code-changes.ts'
import {
  anyOf, codeWord, enterDigits, enterWords, expiryWord, linkAfter, linkingWords, oneTimeWord, paymentWord, plainCodeWord,
  signInSubject, stems, verbsBehind, voucher, withPlainLetters,
} from './code-words.ts'
import { wordPattern } from './word-pattern.ts'

/**
 * The kinds of codes, by words in lower case. Things of every kind have a code: a branch, a meter, a patient, a tariff. "code" beside a
 * noun is a one-time code only if the noun is in these lists, or if other words of the mail are about one-time codes.
 */

/** Beginnings of words for signing in, for one use, and for places and things to which a person has a code, by language. */
const kinds = anyOf(withPlainLetters(`
  verif confirm secur authentic authoris authoriz approv access(?!or) activat recover reset backup unlock pick.?up collection deliver locker lockbox entrance keypad invit pairing device meeting secret single.use registration validat
  identif(?!\\p{L}+.fis) two.?factor check.?in emergency share temporar handover login
  bestätig verifizier sicherheit sicherung authentifizier autorisier genehmig freigabe freischalt zugang zugriff zutritt aktivier wiederherstell zurücksetz rücksetz ersatz entriegel entsperr öffnung abhol zustell lieferung
  schließfach haustür türöffn eingang einlad kopplung koppel gerät geheim einmal anmeld registrier legitim einlass notfall schlüssel unterschrift
  vérif sécurité authentif autoris validation approb d.accès d.accés activation récupér réinit secours déverr ouverture retrait livraison portail casier digicode appair appareil confidentiel connexion inscription
  seguridad autentic autoriz validaci aprobaci acceso activaci recuperac desbloq restablec respaldo recogida retiro entrega puerta taquilla casillero emparej vincula dispositivo secreto dinámic ingreso sesión registro apertura de.firma
  verifica conferma sicurezza accesso attivazi recupero sblocc ripristin di.riserva ritiro consegna portone cancello armadietto cassetta chiavi invito abbinamento segreto registrazi
  segurança validaç aprovaç acesso ativaç activaç recuperaç redefiniç levantament recolha coleta retirada portão cacifo armário convite emparelh pareament entrada registo identificaç(?!\\p{L}+.fis)
  bevestig beveilig veiligheid goedkeur toegang activeri herstel ontgrendel afhaal ophaal bezorg uitnod apparaat eenmalig inlog aanmeld
  bekräft säkerhet autentis godkänn åtkomst tillträd inpasser aktiver återställ upplåsning utlämning leverans(?!ö) inbjud parkoppl hemlig engång inlogg registrer
  bekræft bekreft sikkerhe godkend godkjenn adgang tilgang gendan nulstil gjenoppret tilbakestill oplåsning opplåsing åbning åpning afhentning udlevering utlevering parring paring hemmelig engang innlogg tilmeld påmeld
  vahvist turva turvallis todenn tunnistautu hyväksy pääsy kulku aktivoi palautus varmuus luovutus toimitus kutsu salainen kertakäyt kirjaut rekisteröi
  staðfest öryggis aðgang virkjun endurheimt afhending innskrán einnota auðkenn
  weryfik potwierdz bezpiecz uwierzyteln autoryz zatwierdz dostęp aktywac odzysk zapasow odblok otwarci odbioru odbiór dostaw wydania drzwi skrytk domofon zaprosz parowan sparow urządz tajn sekret jednoraz logowan rejestrac identyfik tymczas płatnoś przelew
  ověř overov overen potvrz potvrd bezpečn autentiz autentif schval schvaľ přístup prístup aktivač obnov záložn odemk odomk otevř vyzvednut vyzdvih prevzat výdej výdaj doruč pozván párov zaříz zariad jednoráz přihláš prihlás registrač dočas
  potrdit potrjev preverj varnost avtent avtoriz odobrit dostop aktivac odklep prevzem dostav omaric povabil enkratn prijav začasn
  verifik provjer proveri sigurn bezbedn ovlaš odobr pristup oporav otključ preuzim isporuk ormari pozivn upariv jednokrat privrem
  securit autentific aprobar accesulu activare debloc ridicare livrare dulap împerech dispozitiv conectare înregistr
  megerősít ellenőrz hitelesít biztonság jóváhagy engedélyez hozzáfér belép aktivál visszaáll helyreáll tartalék felold átvétel kézbesít kiszállít rekesz meghív párosít titkos egyszer bejelentkez regisztrác azonosítási ideiglenes fizetés
  doğrula onay güvenlik yetkilend erişim giriş etkinleş aktivasyon kurtarma sıfırla kilit teslim davet eşleş gizli tek.kullanım tek.seferlik oturum kayıt geçici təsdiq təhlükəsiz aktivləş bərpa birdəfəlik çatdırıl götür dəvət tasdiq xavfsiz kirish faollash
  tiklash martalik yetkaz taklif tassyk howpsuz
  patvirtin tikrinim patikros saugos saugumo prieigos prisijung aktyvin atkūrim atsargin atrakin atsiėmim pristatym išdavim spintel kvietim slapt vienkartin registrac laikin
  apstiprin pārbaud drošīb piekļuv pieslēg pieteik ieejas aktiviz atjaunoš atgūš rezerves atbloķ saņemšan izsniegš piegād skapīš uzaicin slepen vienreiz reģistrā pagaidu
  kinnit autent tuvast juurdepääs ligipääs sisselog sisene aktiveer taaste väljast kättetoim kutse ühekord registreer ajuti maksulle
  konfirm siguri qasj rikuper tërheq marrj dorëzim njëpërdor një.herë regjistr përkohsh egiazt berres segurtas sarbide sartze aktiba gonbida bakar seguretat accés recollid sessió
  verifikasi pengesahan konfirmasi keamanan keselamatan autentikasi otorisasi kebenaran persetujuan akses masuk aktivasi pengaktifan pemulihan cadangan pengambilan penyerahan pengantaran undangan jemputan rahsia rahasia sekali pendaftaran sementara
  xác.minh xác.nhận xác.thực bảo.mật an.toàn đăng.nhập đăng.ký truy.cập kích.hoạt khôi.phục dự.phòng mở.khóa mở.cửa nhận.hàng giao.hàng lấy.hàng một.lần bí.mật tạm.thời phê.duyệt
  uthibitish usalama kuingia mara.moja kupokea kuchukua mlango pagpapatunay kumpirmasyon beripikasyon pagpapatibay kwemeza nkwenye fanamarin manatoko dilysu gwiriekaat váttan ferifika fíoraith dearbhaidh kusimbisa netefatso qinisekisa ìfìdí pagpamatuod
  подтвержд верифик проверк проверочн безопасн аутентиф авториз оторизац одобр доступ активац активир восстанов резервн сброс разблок открыти получени выдач доставк вручени ячейк шкаф поштомат домофон подъезд приглаш сопряж привязк секрет однораз регистрац идентиф временн оплат платеж перевод
  підтвердж верифік перевірк перевірочн безпек автентиф відновл розблок відкрит отриман видач комірк запрош таємн реєстрац ідентиф тимчас пацв верыф бяспек аўтэнт аўтарыз уваход ўваход актывац атрыман аднараз рэгістр
  потвър сигурн удостовер автентик достъп възстанов отключ получаван вземан покан еднократ потврд безбедн аутентик овлашћ приступ пристап опорав откључ преузим преземањ испорук ормар позивн упарив једнократ пријав најав привремен плащан плаќањ плаћањ
  растау қауіпсіз кіру белсенд қалпына реттік жеткіз шақыру ырастоо коопсуз тасдиқ раслау баталгаажуул аюулгүй нэвтрэх идэвхж сэргээ удаагийн хүргэлт урилга
  επαλήθευ επαληθ επιβεβ ασφαλ ταυτοποί εξουσιοδ εγκρισ έγκρισ πρόσβα πρόσβασ σύνδεσ εισόδου ενεργοπ ανάκτησ επαναφορ εφεδρικ ξεκλειδ παραλαβ παράδοσ πόρτα θυρίδ πρόσκλησ σύζευξ μυστικ μίας.χρήσης μιας.χρήσης εγγραφ προσωριν
  تحقق تأكيد الأمان المصادقة التفويض الموافقة الوصول الدخول دخول تفعيل استعادة استرداد فتح الاستلام استلام التسليم تسليم التوصيل الباب البوابة الخزانة الدعوة الجهاز السري سري لمرة مؤقت التسجيل تأیید تایید امنیت احراز ورود دسترسی فعال.?ساز بازیابی تحویل دریافت یک.?بار
  پویا موقت تصدیق تصديق سیکیورٹی رسائی لاگ.?ان وصولی ڈیلیوری دروازہ عارضی رجسٹر دەلىللەش
  אימות אישור אבטחה הרשאה גישה כניסה התחברות הפעל[הת] שחזור איפוס גיבוי פתיחה איסוף מסירה דלת לוקר חד.?פעמי זמני הרשמה באַשטעטיק
  सत्याप पुष्टि सुरक्षा प्रमाण लॉग प्रवेश एक्सेस सक्रिय रिकवरी पुनर्प्राप्ति बैकअप अनलॉक पिकअप डिलीवरी दरवाज आमंत्रण एक.?बार वन.?टाइम अस्थायी पंजीकरण पडताळ পুনরুদ্ধার যাচাই সত্যাপন নিশ্চিত নিরাপত্তা লগ প্রবেশ সক্রিয় ডেলিভারি পিকআপ এককালীন একবার অস্থায়ী নিবন্ধন
  சரிபார்ப்பு உறுதி பாதுகாப்பு உள்நுழை மீட்பு ஒருமுறை டெலிவரி ధృవీకరణ ధ్రువీకరణ నిర్ధార భద్రత లాగిన్ ఒకసారి డెలివరీ ಪರಿಶೀಲ ದೃಢೀ ಭದ್ರತ ಲಾಗಿನ್ പരിശോധ സ്ഥിരീകര സുരക്ഷ ലോഗിൻ ഒറ്റത്തവണ ચકાસણી પુષ્ટિ સુરક્ષા ਪੁਸ਼ਟੀ ਤਸਦੀਕ ਸੁਰੱਖਿਆ ଯାଞ୍ଚ සත්.?යාපන තහවුරු ආරක්ෂ
  ยืนยัน ตรวจสอบ ความปลอดภัย เข้าสู่ระบบ เข้าถึง เปิดใช้ กู้คืน สำรอง ปลดล็อก รับ ส่งมอบ ประตู ล็อกเกอร์ ตู้ เชิญ ลับ ครั้งเดียว ชั่วคราว ลงทะเบียน ຢືນຢັນ ຄວາມປອດໄພ ເຂົ້າ ຮັບ ຄັ້ງດຽວ ផ្ទៀង បញ្ជាក់ សុវត្ថិភាព ចូល ទទួល ម្តង အတည်ပြု ဝင်ရောက် လုံခြုံ တစ်ခါသုံး တစ်ကြိမ်
  bestäteg surentez kennask gwiriañ tizhout kadarnaa cunness cunferma mlebu zougang aksè(?!\\p{L}) diogel mewngof mynediad cadarnha sekuritei sekurec ensalut aŭtentig sécherheet umeldung confirmatioun trygging stadfest sannpróf varmenn tekshiruv ruxsat barlag elýeter sekirite koneksyon konfimasyon kwinjir umuteka icyemezo
  праверк тексер текшер жетүү кирүү хандалт шалгах рөхсәт тикшер куркынычсыз амният ворид санҷиш дастрас ئاسایش چوونەژوور دەستگەیشت پشتڕاست دڵنیاکردن بىخەتەر كىرىش زىيارەت جەزملەش توثیق ننوت لاسرس سيڪيورٽي رسائي پڪ.ڪرڻ توهان.جو
  सुरक्षा पहुँच लगइन पुष्टी প্ৰৱেশ সুৰক্ষা લૉગિન ઍક્સેસ ಪ್ರವೇಶ ആക്സസ് ସୁରକ୍ଷା ଲଗଇନ ପ୍ରବେଶ ନିଶ୍ଚିତ ਲੌਗਇਨ ਪਹੁੰਚ පිවිසුම් ප්.?රවේශ அணுகல் యాక్సెస్ เข้าใช้ ກວດສອບ လော့ဂ်အင် စိစစ် წვდომ ստուգ זיכערהייט צוטריט אַרײַנלאָג וועריפֿיק 存取 መዳረሻ ማጽደቂያ
  ማረጋገጫ መረጋገ መግቢያ ደህንነት የአንድ.ጊዜ ጊዜያዊ ምርግጋጽ დადასტურ նույնական ვერიფიკ უსაფრთხო შესვლ ავტორიზ აქტივაც ერთჯერად მიღებ დროებით հաստատ վավերաց անվտանգ մուտք ակտիվաց մեկանգամ միանգամյա ստացման ժամանակավոր
  認証 確認 検証 セキュリティ 安全 本人 承認 アクセス ログイン サインイン 有効化 アクティ 復元 復旧 回復 バックアップ 解除 解錠 開錠 受け?取 引き?渡 配達 玄関 ドア ロッカー 宅配ボックス 招待 ペアリング デバイス ミーティング 会議 秘密 ワンタイム 使い捨て 一時 登録 再設定 リセット 暗証 入室 入館 入場
  인증 확인 보안 승인 액세스 접속 로그인 활성 복구 백업 해제 잠금 수령 픽업 배송 배달 현관 출입 입장 사물함 보관함 초대 페어링 연결 기기 회의 비밀 일회용 임시 등록 재설정
  验证 驗證 确认 授[权權] 访问 訪問 登[录錄入] 激活 [開开]通 恢[复復] 重[置設设] 備用 备用 解[锁鎖] 取[件货貨餐] 提[货貨取] 收[货貨] 邀[请請] 配[对對] [设設][备備] 裝置 会议(?!室) 會議(?!室) [动動][态態] 一次 [单單]次 [临臨][时時] [注註][册冊] 校[验驗] 核[验驗] [识識][别別] [随隨][机機] 令牌 通行
  পেমেন্ট ordainket پرداخت ادائیگی भुगतान վճարմ გადახდ төле(?!фон) төлбөр төлөх ទូទាត់ ຊຳລະ mokėjim maksājum ငွေပေးချေ கட்டண చెల్లింపు malipo bayad pagesë pembayaran
  መልሶ.ማግኛ احتياط ব্যাকআপ babeskopia پشتیبان վերականգն պահուստ リカバリ 予備 აღდგენ სარეზერვ резервт atkopš нөөц sandaran အရန် ပြန်လည်ရယူ back-?up alternativ rezerv[ăë](?!\\p{L}) rezervn urejesh mbadala
  காப்பு రికవరీ బ్యాకప్ yedek ریکوری بیک.?اپ 復原 复原 救援 សង្គ្រោះ បម្រុង ກູ້ຄືນ ສຳຮອງ`))

/** The same at the beginning of a word only, since other words have them, too. */
const shortKinds = anyOf(`
  pin puk otp sms e-?mail tan 2fa mfa wi.?fi wlan tv pass acces(?!or|s) uniques? unik [uú]nic[oa] d.usage doors? gates? entry join show give tell quote tür tor(?!\\p{L}) porte portal(?!\\p{L}) porta(?!\\p{L}) deur poort kluis reserve?(?!\\p{L}) dörr port(?:en)?(?!\\p{L}) skåp
  nød dør skap hämt hente?(?!\\p{L}) sótt varu(?!\\p{L}) vara(?!\\p{L}) nouto ovi(?:en)?(?!\\p{L}) kaapin lokero dyra hurð boð bram furtk dveř dver[eií] brán ajtó kapu nyitó ușii poartă врат двер вход войти вхід входу ворот скид kapı dolap qapı eshik есік хаалга dur[uųv] vart uks ukse kapi der[eë]s ftes
  ate(?:ko|a) cửa tủ pintu loker antar sisse uso(?!\\p{L}) door דלת שער imza podpis подпис 署名 서명 керү alira(?!\\p{L})`)
/** A word of such a kind, in a text in lower case. */
const kindWord = wordPattern(`${kinds}|(?<!\\p{L})(?:${shortKinds})|${signInSubject.source}|${oneTimeWord.source}`, 'u')
const kindOrPayment = wordPattern(`${kindWord.source}|${paymentWord.source}`, 'u')

export const hasKind = (text: string): boolean => kindWord.test(text)

/** Whether a text behind "code", to a number, ends with a word of a known kind: "código de la puerta". */
export const endsWithKind = (text: string): boolean => kindWord.test(lastOfFew.exec(text)?.[1] ?? '')

/** Whether a text behind "code", to a number, is the ending of that word, or a few words with one of a known kind. */
export const namesPurpose = (text: string): boolean => fewWords.test(text) && (kindWord.test(text) || !/\s\p{L}/u.test(text))
const fewWords = /^[\p{L}\p{M}]{0,6}(?:[ \u00a0][\p{L}\p{M}’'.-]{1,24}){0,7}[^\p{L}\p{N}]*$/u
const lastOfFew = /^(?:[ \u00a0][\p{L}\p{M}’'-]{1,24}){0,3}[ \u00a0]([\p{L}\p{M}’'-]+)[^\p{L}\p{N}]*$/u

type Kind = 'personal' | 'unknown' | 'other'

/** Words beside "code" that tell no kind. */
const plainWords = new Set(`${`${enterWords}|${linkingWords}`.replaceAll('|', ' ')}
  a an the this that your our my his her their its following new next above below same right correct unique special requested numeric digit digits digit number numbers no enter use type is are as with and or to for by from on in at it you which we i
  der die das den dem des ein eine einen einem ihr ihre ihren ihrem dein deine deinen deinem unser diesen diese dieser dieses diesem folgende folgenden folgender neuer neue neuen mit per und oder lautet ist wir den zum zur für von aus auf unten
  le la les l un une votre ton notre ce cet cette ces son sa suivant suivante nouveau nouvelle est et ou pour par avec sur dans ci-dessous voici au aux que nous
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
  ваш вашего твой твоя это этот этим этого новый следующий и или для по с в из ваша цей новий наступний є та або з у вашият твоят този нов следния следният е и или за със ваши овој овај твој нови следећи следниов је
  το ο του σας σου αυτός αυτόν αυτόν νέος ακόλουθο εξής είναι και ή για με
  senin sizin bu yeni aşağıdaki haneli ve veya için ile bir şu bizim sənin sizning mana ushbu quyidagi сіздің осы мына жаңа таны энэ шинэ
  kamu anda ini itu baru berikut adalah dan atau untuk dengan ialah yang
  của bạn quý khách này mới là và hoặc cho để dưới đây sau vui lòng nhập
  jūsų šis šį naujas jūsu šis šo jauns teie see uus sinu teid þinn þitt nýi kóðinn yt juaj ky ri zure hau berria el teu aquest nou y ang iyong ang mo na ito wako yako hii huu
  ak el من هو هذا الخاص بك التالي الجديد لك ل في את הבא זה שלך החדש هو شما این جدید زیر است آپ کا یہ ہے
  आपका आपके यह नया निम्न है में आपकी तुमचा हा माझा আপনার এই নতুন হল நீங்கள் உங்கள் இந்த மீ మీ ఈ તમારો આ ਤੁਹਾਡਾ ഈ താങ്കളുടെ నిమ్న ձեր այս ნ თქვენი ეს
  ይህን ይህ የእርስዎ የእርስዎን ያስገቡ jou eich dy vostru vòstre via äre ären jūsu sampeyan yawe siziň tín ho мой вашиот твојот сиздин шумо сезнең نىڭ سىزنىڭ ستاسو دی آهي yr ze
  तपाईंको तपाईँको हो নিচের আপোনাৰ হ’ল ನಿಮ್ಮ ನಿಮ್ಮ ನಿನ್ನ നിങ്ങളുടെ ആണ് ଆପଣଙ୍କ ହେଉଛି ඔබේ ඔබගේ אײַער איז zo imong mao
  yra ar arba kwa ingia með inn się با به از را შედით
  다음 아래 위 이 새 귀하의 고객님의 회원님의 당신의 입력`.split(/\s+/))
const plainNumber = /^(?:|\d{1,2}|\d+.digit|\d+.?stellige[rn]?)$/u

/** Nouns and verbs for entering a code, and for signing in or opening a thing with it: "z vnosom kode", "otvoríte kódom". */
const useWord = wordPattern(String.raw`^(?:${anyOf(withPlainLetters(`
  enter typing eingab eingeb saisi introduc introduz inserend inserim inserção digita digitaz digitaç ingresa teclea invoer invul indtast inntast inmat syöttä sisest įved įvest ievad megad beír wpis wprowadz podani podając
  zadan zadán vložen vpísan vnos vnes vpis unos unes upis ввод введен введён въвежд внасян унос унес πληκτρολ εισαγωγ إدخال הזנת הקלדת memasuk shkru енгіз оруул жазу
  zalog logow prisijung prisijunk piesak piesl pieteik přihla prihlás prijav пријав войд войт увійд влез влиза вляз нэвтр нэвтэр кіріңіз кіру logg conect
  otvor otevř otevír otwor otwier otwór odpr odprete otklj otključ atver atidar atrak atslēdz avat avag avaa aukea öppn åbn åpn öffn ouvr desch открой откры відкри відчин отвор отвар отключ
  abre abra abran abrir abriendo apri aprire aprite`))})\p{L}{0,8}$`, 'u')

/** The end of words for "this" and "of" before "code", in scripts that write words without spaces. */
const plainAhead = /(?:[のこそ本記下上次式新字るた的此该該这這个個是为為入]|使用|以下|ဤ|သင့်)$/u
/** Letters behind "code" that say no more than it, in such scripts: "รหัสของคุณ". */
const plainBehind = /^(?:ของ|นี้|คือ|ต่อไปนี้|ด้านล่าง|ที่|เพื่อ|ใน|สำหรับ|ຂອງ|ນີ້|ແມ່ນ|ខាង|នេះ|របស់|គឺ|ដើម្បី|မှာ)/u

/** Words for "of" behind "code", with the noun behind them. */
const genitive = /^(?:de la|de los|de|del|della|dello|dell|do|da|dos|das|di|du|des|der|des|van de|van|of|на|i|e|wa|no|nr|nº|n°|id) (?=\p{L})/u
/** Words for "for" behind "code": what follows is a purpose. */
const purpose = /^(?:for|to|für|zum|zur|pour|para|per|voor|vir|för|fyrir|për|til|till|pro|pre|dla|za|за|для|για|untuk|cho|pentru|ل|ל)(?!\p{L})/u

/** Words beside "code" in a line, with which a mail is about one for a person. */
const evidence = wordPattern(`${expiryWord.source}|${signInSubject.source}|${oneTimeWord.source}|(?<!\\p{L})(?:${enterWords})(?!\\p{L})|${verbsBehind}|${enterDigits}`, 'u')

/** Words that ask to keep a code secret. */
const secrecy = new RegExp(anyOf(`
  do.not.share don.t.share never.share not.share.(?:it|this) geben.sie.(?:ihn|sie).niemand niemandem nicht.weiter ne.(?:le|la).(?:partage|communique) no.(?:lo|la)?.?compart não.(?:o.)?(?:compartilhe|partilhe) non.(?:lo.)?condivid deel.(?:deze|hem).(?:nooit|niet|nie)
  никому нікому nikomu nemojte.ga ne.adja.(?:meg|ki) senkinek del.(?:den|koden).(?:aldrig|ikke|inte) älä.(?:kerro|jaa) kimseyle paylaşma μην.(?:τον|το) 请勿 勿向 勿告 請勿 他人に 教えない 알려주지 공유하지 بمشاركة تشارك ندهید לשתף jangan không.chia.sẻ อย่า`), 'u')

/** Whether the subject of a mail names a code for a person, or a line has "code" and words for the use of one. */
export const isAboutCode = (subject: string, source: string): boolean => namesPersonalCode(subject)
  || source.slice(0, maxSearchedChars).toLowerCase().split('\n').some((line) => secrecy.test(line) || (line.search(codeWord) >= 0 && evidence.test(line)))
const maxSearchedChars = 20_000

/** Words for things whose code may stand beside that of a person, or in words for its use. */
const others = stems(`error fehler erreur errore erro błęd chyb ошибк помилк hata hiba fout virhe lỗi خطأ خطا שגיאה エラー 오류 错误 錯誤
  http status \\breason return response \\bqr \\bbar(?!lag) post(?!amat) zip posta postal postcode плз поштов пошт индекс מי(?=$) 邮政 郵便 우편 promo промо купон aktion kampan kampanj`)
const otherAhead = wordPattern(String.raw`(?:${others}|${voucher})[\p{L}\p{M}]{0,8}[ \u00a0-]?$|(?:exit|fail|finish|complet|terminat|died|return)\p{L}*:? (?:\(|with (?:the |a )?)?$|lines of $|(?<!\p{L})fe[ij]?l$|[1-5]\d\d with $|\+\d[\d\s().-]{7,24}$`, 'u')
const otherBehind = wordPattern(String.raw`^[ \u00a0](?:(?:de|del|di|do|da|d['’]|of|à|a)[ \u00a0]?)?(?:${others}|${voucher}|bank(?!\p{L}))`, 'u')

/**
 * Tells by the words beside "code" whose number is one for a person, of a noun that is not known, "Branch code: 4812", or of another thing.
 * @param sender in lower case: its name is no noun
 */
export function kindOf(source: string, { start, end }: Candidate, sender: string): Kind {
  const above = source.slice(Math.max(0, start - maxChars), start).replaceAll('İ', 'I') // which has another length in lower case
  const before = lastCodeWord(above)
  if (before) {
    const isAsked = numberAndLine.test(above.slice(before.index)) && evidence.test(lineOf(source, start, end))
    return isAsked ? 'personal' : kindOfLabel(above, before, sender)
  }
  const after = source.slice(end, end + maxChars)
  const lower = after.toLowerCase()
  codeWord.lastIndex = 0
  const behind = linkAfter.test(lower) ? null : codeWord.exec(lower)
  return !behind ? 'personal' : samples.test(lower) ? 'other' : kindOfLabel(after, behind, sender)
}
/** Characters before and behind a number in which its label stands. */
const maxChars = 140

/** "4821 code samples". */
const samples = /^ codes? \p{L}{3,}/u

/** Whether the heading of a column is that of codes for a person. */
export const isCodeHeading = (heading: string): boolean => heading.length <= 40 && namesPersonalCode(heading)

function namesPersonalCode(text: string): boolean {
  const word = lastCodeWord(text)
  return word !== null && kindOfLabel(text, word, '') === 'personal'
}

function lastCodeWord(text: string): RegExpExecArray | null {
  const lower = text.toLowerCase()
  let last: RegExpExecArray | null = null
  codeWord.lastIndex = 0
  for (let match = codeWord.exec(lower); match; match = codeWord.exec(lower)) last = match
  return last
}

/** Whether the last label of a code in a text is of a known kind: "delivery code". */
export function namesKnownKind(text: string): boolean {
  const word = lastCodeWord(text)
  if (!word) return false
  const { ahead } = wordsBeside(text, word)
  return kindOfLabel(text, word, '') === 'personal' && kindWord.test(`${ahead.split(/[ \u00a0]/).slice(-2).join(' ')}|`.toLowerCase())
}

/** Behind a label: its own number, and another line. */
const numberAndLine = /\d{4}[^\n]*\n/

function lineOf(source: string, start: number, end: number): string {
  const before = source.slice(Math.max(0, start - maxChars), start)
  return (before.slice(before.lastIndexOf('\n') + 1) + source.slice(end, end + maxChars).split('\n')[0]!).toLowerCase()
}

const maxLabelChars = 80
const wordsAhead = /(?:[\p{L}\p{N}&][\p{L}\p{M}\p{N}\u200c\u200d'’&*/.+-]{0,40}[ \u00a0]){0,4}(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}\u200c\u200d'’&*/.+-]{0,40})?$/u
const sentenceBefore = new RegExp(String.raw`^.*(?:\p{L}{3}(?<!(?<!\p{L})(?:ref|auth|appr|conf|ver))|\d)\.[ \u00a0]`, 'iu')
const wordsBehind = /^[\p{L}\p{M}\u200c\u200d'’]{0,40}(?:[ \u00a0][\p{L}\p{M}\p{N}\u200c\u200d'’&*/+-]{1,40}){0,6}/u
/** Where a label ends: at a number, or at a part of one, and behind an abbreviation of it. */
const beginsNumber = /^[^\p{L}\p{N}(.!]*(?:\([^()\d]{1,20}\)[^\p{L}\p{N}]*)?(?:$|\d{4}|[A-Z\d]{3,5} |(?=[A-Z]{1,9}\d|\d{1,3}[A-Z])[A-Z\d]{4,24}(?![\p{L}\d]))/u

type CodeWord = Pick<RegExpExecArray, 'index' | 0>

const wordsBeside = (text: string, { index, 0: word }: CodeWord) => ({
  ahead: wordsAhead.exec(text.slice(Math.max(0, index - maxLabelChars), index))![0].replace(sentenceBefore, ''),
  behind: wordsBehind.exec(text.slice(index + word.length))![0].replace(/ (?:\d|[A-Z]+\d).*/, ''),
})

/** Tells the kind of a code by its label: the words in the same line before and behind "code". */
function kindOfLabel(text: string, { index, 0: word }: CodeWord, sender: string): Kind {
  const end = index + word.length
  const { ahead, behind } = wordsBeside(text, { index, 0: word })
  if (otherAhead.test(text.slice(Math.max(0, index - 40), index).toLowerCase()) || otherBehind.test(behind.toLowerCase())) return 'other'
  if (/^codes?$/.test(word) && isKey(text.slice(0, index), text.slice(end))) return 'other'
  if (!plainCodeWord.test(word)) return 'personal'
  const isLower = !/^\p{Lu}/u.test(text.slice(index, end))
  const nouns = [nounAhead(ahead, isLower, sender), beginsNumber.test(text.slice(end + behind.length)) ? nounBehind(behind, word, isLower ? ahead : '', sender) : '']
  if (nouns.some((noun) => bookingNoun.test(noun.toLowerCase()))) return 'other'
  const label = `${ahead}|${behind}`.toLowerCase()
  if (nouns.every((noun) => noun === '') || kindOrPayment.test(label) || isOfChange(nouns, label)) return 'personal'
  return /\d{4}/.test(text.slice(end)) ? 'other' : 'unknown'
}

/** The beginning of a noun for a booking, whose code is none for signing in, also in a mail that confirms one. */
const bookingNoun = wordPattern(String.raw`^(?:${anyOf(withPlainLetters(`
  buchung booking(?!\\.|の) bookning reserva(?:s|ci[óo]n|ciones|tion|ç\\p{L}+|si)?(?!\\p{L}) reservering reservierung r[eé]servation prenotaz boeking bokning bestilling bókun varau(?:s|ks) rezerwac rezerv[aá][cč] rezervar rezervasyon rezervācij rezervavim užsakym broneer foglal rezervim
  reserbasyon pemesanan tempahan đặt.(?:chỗ|phòng|vé) đặt erreserb uhifadhi резервац резервир бронир бронь брони бронюв броньов бронд κράτησ κρατησ (?:ال)?حجز رزرو बुकिंग বুকিং முன்பதிவு బుకింగ్ การจอง จอง ご?予約 预[订定] 預[訂定] 订[位单] 訂[位單] 예약 захиалг ամրագր ჯავშ დაჯავშნ ការកក់ កក់ ການຈອງ ຈອງ ဘွတ်ကင် (?:የቦታ.)?ማስያዣ بکنگ pnr`))})`, 'u')

/** Whether a word is the key of an object in a program: `{"code": 40412}`. */
const isKey = (before: string, behind: string): boolean => (/["'`]$/.test(before) && /^\\?["'`]\s?:/.test(behind))
  || (/\{[^{}\n]*$/.test(before) && behind.startsWith(':'))

/** Whether a noun begins the name of the sender, or is that of its host: "commerzbank <no-reply@commerzbank.example>". */
function isSender(word: string, sender: string): boolean {
  const noun = word.toLowerCase()
  return noun.length > 2 && !businessNouns.has(noun) && (sender.startsWith(noun) || sender.includes(`@${noun}.`) || sender.includes(`.${noun}.`))
}

/** Nouns that have codes of their own, and with which names of businesses begin: "Banco Norte". */
const businessNouns = new Set(`
  bank banks banque banco banca banka banku banke bankas banki bankası pank panga pankki pankin banc bankos банк банка банку банкі τράπεζα τράπεζας بنك البنك بانک בנק बैंक ব্যাংক ngân ธนาคาร
  shop store boutique magasin tienda negozio loja sklep obchod магазин product produit producto prodotto produto produkt hotel hôtel hostal airline school école escuela scuola escola schule šola škola
  company firma société empresa azienda компания pharmacy apotheke pharmacie farmacia farmácia apteka lékárna clinic klinik clinique clínica clinica`.split(/\s+/))

function saysNoKind(word: string): boolean {
  const lower = word.toLowerCase()
  return plainWords.has(lower) || plainNumber.test(lower) || useWord.test(lower)
}

/** Returns the noun before "code", or that with which it is one word; none for a name. */
function nounAhead(ahead: string, isLower: boolean, sender: string): string {
  const words = ahead.split(/[ \u00a0]/)
  const joined = words.pop()!
  if (joined === '' ? words.length === 0 : withoutSpaces.test(joined)) return ''
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(joined)) return plainAhead.test(joined) || isSender(joined, sender) ? '' : joined
  if (/^(?:[הבלושמכ]{1,3}|[\p{Script=Arabic}]{1,4})$/u.test(joined)) return ''
  const word = joined || words.pop()!
  if (saysNoKind(word)) return ''
  if (joined !== '' && !joined.endsWith('-')) return word
  if (isSender(word.replace(/-$/, ''), sender)) return ''
  const isOfTwo = /^\p{Lu}/u.test(words.at(-1) ?? '') && possessive.test(words.at(-2)?.toLowerCase() ?? '') // "Your Deutsche Bank Code"
  return isOfTwo || (isLower && words.length > 0 && isName(word, words.at(-1)!)) ? '' : word
}

/** Returns the noun behind "code"; none for a name. */
function nounBehind(behind: string, code: string, ahead: string, sender: string): string {
  const [joined = '', ...words] = behind.split(/[ \u00a0]/)
  if (withoutSpaces.test(joined)) return plainBehind.test(joined) ? '' : joined
  const text = words.join(' ')
  const lower = text.toLowerCase()
  if (words.length > 5 || purpose.test(lower) || (code.startsWith('k') && lower.startsWith('do ')) || verbBehind.test(lower)) return ''
  const ofThing = genitive.exec(lower)?.[0].length ?? 0
  const noun = text.slice(ofThing).split(' ').find((word) => ofThing === 0 || !ageWord.test(word.toLowerCase())) ?? ''
  return saysNoKind(noun) || isSender(noun, sender) || (ahead !== '' && isName(noun, ahead.trimEnd().split(' ').at(-1)!)) ? '' : noun
}

const verbBehind = wordPattern(`^(?:${verbsBehind})`, 'u')
const withoutSpaces = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Whether a word is a name: one in capitals only behind "your", and else an abbreviation. */
const isName = (word: string, ahead: string): boolean => /\p{Lu}/u.test(word) && (/\p{Ll}/u.test(word) || possessive.test(ahead.toLowerCase()))
const possessive = wordPattern(`^(?:${stems('your ihr ihre dein deine votre ton tu su seu sua teu tuo vostro je jouw uw din ditt er twój pana váš tvůj ваш твой ön sinun vaš acest dumneavoastră senin anda bạn')})$`, 'u')
