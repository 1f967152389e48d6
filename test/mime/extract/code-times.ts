import { parse } from './code-sentences.ts'

/** Codes that have expired, as they are and with a relative clause. */
export const expired = parse(`
  am: ኮድ * ጊዜው አልፎበታል።
  ar: انتهت صلاحية الرمز *. | الرمز * الذي أرسلناه أمس انتهت صلاحيته.
  bg: Кодът * е изтекъл. | Кодът *, който ви изпратихме вчера, е изтекъл и вече не може да се използва.
  bn: কোড * এর মেয়াদ শেষ হয়েছে।
  ca: El codi * ha caducat. | El codi * que us vam enviar ahir ha caducat i ja no es pot fer servir.
  cs: Kód * vypršel. | Kód *, který jsme vám včera poslali, vypršel a nelze ho už použít. | Platnost kódu * vypršela.
  da: Koden * er udløbet. | Koden *, som vi sendte dig i går, er udløbet og kan ikke bruges mere. | Koden * som vi sendte dig i går er udløbet.
  de: Der Code * ist abgelaufen. | Der Code *, den wir Ihnen gestern gesendet haben, ist abgelaufen und kann nicht mehr verwendet werden.
  el: Ο κωδικός * έληξε. | Ο κωδικός * που σας στείλαμε χθες έχει λήξει και δεν ισχύει πλέον.
  en: The code * has expired. | The code * that we sent you yesterday has expired and can no longer be used. | The code *, which we sent you yesterday, has expired.
  es: El código * ha caducado. | El código * que te enviamos ayer ha caducado y ya no se puede usar. | El código *, que pediste ayer, ya no es válido. | El código * caducó.
  et: Kood * on aegunud. | Kood *, mille eile saatsime, on aegunud ja seda ei saa enam kasutada.
  eu: * kodea iraungi da.
  fa: کد * منقضی شده است. | کد * که دیروز برایتان فرستادیم منقضی شده است.
  fi: Koodi * on vanhentunut. | Koodi *, jonka lähetimme eilen, on vanhentunut eikä sitä voi enää käyttää.
  fr: Le code * a expiré. | Le code * que nous vous avons envoyé hier a expiré et ne peut plus être utilisé. | Le code *, demandé hier, n’est plus valable.
  he: תוקפו של הקוד * פג. | הקוד * פג תוקף. | הקוד * ששלחנו לך אתמול פג תוקפו.
  hi: कोड * की अवधि समाप्त हो गई है। | कोड * अब मान्य नहीं है।
  hr: Kod * je istekao. | Kod * koji smo vam jučer poslali je istekao i više se ne može koristiti.
  hu: A * kód lejárt. | A tegnap küldött * kód már nem érvényes.
  hy: * կոդի ժամկետը լրացել է։
  id: Kode * sudah kedaluwarsa. | Kode * yang kami kirim kemarin sudah kedaluwarsa dan tidak dapat digunakan lagi. | Kode * telah kedaluwarsa.
  is: Kóðinn * er útrunninn. | Kóðinn * sem við sendum þér í gær er útrunninn og ekki er hægt að nota hann.
  it: Il codice * è scaduto. | Il codice * che ti abbiamo inviato ieri è scaduto e non può più essere usato. | Il codice *, inviato ieri, non è più valido.
  ja: コード*の有効期限が切れました。 | 昨日お送りした認証コード*は有効期限が切れています。 | 認証コード*は使用できません。
  ka: კოდს * ვადა გაუვიდა.
  kk: * кодының мерзімі аяқталды.
  km: លេខកូដ * បានផុតកំណត់ហើយ។
  ko: 코드 *의 유효 기간이 만료되었습니다. | 어제 보내드린 인증번호 *는 만료되었습니다. | 인증번호 *는 더 이상 사용할 수 없습니다.
  lo: ລະຫັດ * ໝົດອາຍຸແລ້ວ.
  lt: Kodas * nebegalioja. | Kodas *, kurį vakar jums išsiuntėme, nebegalioja ir jo naudoti nebegalima. | Kodo * galiojimas baigėsi.
  lv: Kods * vairs nav derīgs. | Kods *, ko jums vakar nosūtījām, vairs nav derīgs. | Koda * derīguma termiņš ir beidzies.
  mn: * кодын хугацаа дууссан.
  ms: Kod * telah tamat tempoh. | Kod * yang kami hantar semalam telah tamat tempoh dan tidak boleh digunakan lagi.
  my: ကုဒ် * သက်တမ်းကုန်သွားပါပြီ။
  nb: Koden * har utløpt. | Koden * som vi sendte deg i går er utløpt og kan ikke lenger brukes. | Koden *, som vi sendte i går, er utløpt.
  nl: De code * is verlopen. | De code * die we je gisteren hebben gestuurd is verlopen en kan niet meer worden gebruikt.
  pl: Kod * wygasł. | Kod *, który wysłaliśmy Ci wczoraj, wygasł i nie można go już użyć. | Kod * stracił ważność.
  pt: O código * expirou. | O código * que enviamos ontem expirou e não pode mais ser usado. | O código *, que pediu ontem, já não é válido.
  ro: Codul * a expirat. | Codul * pe care vi l-am trimis ieri a expirat și nu mai poate fi folosit.
  ru: Срок действия кода * истёк. | Код *, который мы отправили вам вчера, больше не действует. | Код * истёк.
  sk: Kód * vypršal. | Kód *, ktorý sme vám včera poslali, vypršal a už sa nedá použiť. | Platnosť kódu * vypršala.
  sl: Koda * je potekla. | Koda *, ki smo vam jo poslali včeraj, je potekla in je ni več mogoče uporabiti.
  sq: Kodi * ka skaduar. | Kodi * që ju dërguam dje ka skaduar dhe nuk mund të përdoret më.
  sr: Код * је истекао. | Код * који смо вам јуче послали је истекао. | Kod * koji smo vam juče poslali je istekao.
  sv: Koden * har gått ut. | Koden * som vi skickade i går har gått ut och kan inte längre användas.
  sw: Msimbo * umeisha muda. | Msimbo * tuliokutumia jana umeisha muda wake.
  ta: குறியீடு * காலாவதியாகிவிட்டது.
  te: కోడ్ * గడువు ముగిసింది.
  th: รหัส * หมดอายุแล้ว | รหัส * ที่เราส่งให้คุณเมื่อวานหมดอายุแล้ว
  tl: Nag-expire na ang code *. | Ang code * na ipinadala namin kahapon ay nag-expire na.
  tr: * kodunun süresi doldu. | Dün gönderdiğimiz * kodu artık geçerli değil.
  uk: Термін дії коду * минув. | Код *, який ми надіслали вам учора, більше не дійсний. | Код * вже не діє.
  ur: کوڈ * کی میعاد ختم ہو چکی ہے
  vi: Mã * đã hết hạn. | Mã * mà chúng tôi gửi hôm qua đã hết hạn và không thể sử dụng nữa.
  zh-Hans: 验证码 * 已过期。 | 我们昨天发送的验证码*已经失效。
  zh-Hant: 驗證碼 * 已過期。 | 驗證碼 * 已失效，請重新申請。`)

/** How long a code is valid: 15 minutes, in the sentences that services write. */
export const fifteenMinutes = parse(`
  am: ኮዱ ለ15 ደቂቃዎች ያገለግላል። | ኮዱ በ15 ደቂቃ ውስጥ ያበቃል።
  ar: الرمز صالح لمدة 15 دقيقة. | تنتهي صلاحية الرمز خلال 15 دقيقة. | أدخله خلال 15 دقيقة.
  bg: Кодът е валиден 15 минути. | Кодът изтича след 15 минути. | Въведете го в рамките на 15 минути. | Кодът важи 15 минути.
  bn: কোডটি ১৫ মিনিট বৈধ থাকবে। | কোডটির মেয়াদ ১৫ মিনিট পরে শেষ হবে।
  ca: El codi és vàlid durant 15 minuts. | El codi caduca d’aquí a 15 minuts. | Introdueix-lo abans de 15 minuts.
  cs: Kód platí 15 minut. | Platnost kódu vyprší za 15 minut. | Kód je platný 15 minut. | Zadejte ho do 15 minut.
  da: Koden gælder i 15 minutter. | Koden udløber om 15 minutter. | Indtast den inden for 15 minutter. | Koden er gyldig i 15 minutter.
  de: Der Code gilt 15 Minuten. | Der Code und der Link gelten 15 Minuten. | Er läuft in 15 Minuten ab. | Geben Sie ihn innerhalb von 15 Minuten ein.
  el: Ο κωδικός ισχύει για 15 λεπτά. | Ο κωδικός λήγει σε 15 λεπτά. | Πληκτρολογήστε τον μέσα σε 15 λεπτά.
  en: The code is valid for 15 minutes. | It expires in 15 minutes. | Enter it within 15 minutes. | It will stop working in 15 minutes. | You have 15 minutes to enter it.
  es: El código vale por 15 minutos. | El código caduca en 15 minutos. | Introdúcelo en los próximos 15 minutos. | Tiene una validez de 15 minutos.
  et: Kood kehtib 15 minutit. | Kood aegub 15 minuti pärast. | Sisestage see 15 minuti jooksul.
  eu: Kodeak 15 minutuz balio du. | Kodea 15 minutu barru iraungiko da.
  fa: این کد 15 دقیقه اعتبار دارد. | این کد تا 15 دقیقه معتبر است. | این کد پس از 15 دقیقه منقضی می‌شود.
  fi: Koodi on voimassa 15 minuuttia. | Koodi vanhenee 15 minuutin kuluttua. | Syötä se 15 minuutin kuluessa. | Koodi vanhentuu 15 minuutissa.
  fr: Le code est valable 15 minutes. | Il expire dans 15 minutes. | Saisissez-le dans les 15 minutes. | Il reste valide pendant 15 minutes. | Il sera valable 15 minutes.
  he: הקוד בתוקף ל-15 דקות. | הקוד תקף ל-15 דקות. | הקוד יפוג בעוד 15 דקות. | הקוד תקף למשך 15 דקות.
  hi: यह कोड 15 मिनट तक मान्य है। | यह कोड 15 मिनट में समाप्त हो जाएगा। | कोड 15 मिनट के लिए वैध है।
  hr: Kod vrijedi 15 minuta. | Kod istječe za 15 minuta. | Unesite ga u roku od 15 minuta. | Kod će isteći za 15 minuta.
  hu: A kód 15 percig érvényes. | A kód 15 perc múlva lejár. | Írja be 15 percen belül. | A kód 15 percig használható fel.
  hy: Կոդը գործում է 15 րոպե։ | Կոդի ժամկետը լրանում է 15 րոպեից։
  id: Kode berlaku selama 15 menit. | Kode akan kedaluwarsa dalam 15 menit. | Masukkan dalam 15 menit. | Kode ini berlaku 15 menit.
  is: Kóðinn gildir í 15 mínútur. | Kóðinn rennur út eftir 15 mínútur. | Sláðu hann inn innan 15 mínútna.
  it: Il codice vale 15 minuti. | Scade tra 15 minuti. | Inseriscilo entro 15 minuti. | Ha una validità di 15 minuti. | Il codice scadrà tra 15 minuti.
  ja: コードの有効期限は15分です。 | このコードは15分間有効です。 | 15分以内に入力してください。 | 15分後に無効になります。
  ka: კოდი მოქმედებს 15 წუთი. | კოდს ვადა გასდის 15 წუთში. | კოდი ძალაშია 15 წუთის განმავლობაში.
  kk: Код 15 минут жарамды. | Код 15 минуттан кейін жарамсыз болады. | Кодтың мерзімі 15 минуттан кейін аяқталады.
  km: លេខកូដមានសុពលភាព 15 នាទី។ | លេខកូដនឹងផុតកំណត់ក្នុងរយៈពេល 15 នាទី។
  ko: 코드는 15분 동안 유효합니다. | 유효 시간은 15분입니다. | 15분 이내에 입력해 주세요. | 15분 후에 만료됩니다.
  lo: ລະຫັດໃຊ້ໄດ້ 15 ນາທີ. | ລະຫັດຈະໝົດອາຍຸໃນ 15 ນາທີ.
  lt: Kodas galioja 15 minučių. | Kodas nustos galioti po 15 minučių. | Įveskite jį per 15 minučių.
  lv: Kods ir derīgs 15 minūtes. | Kods zaudēs derīgumu pēc 15 minūtēm. | Ievadiet to 15 minūšu laikā. | Koda derīguma termiņš ir 15 minūtes.
  mn: Код 15 минут хүчинтэй. | Кодын хугацаа 15 минутын дараа дуусна.
  ms: Kod sah selama 15 minit. | Kod akan tamat tempoh dalam 15 minit. | Masukkannya dalam masa 15 minit.
  my: ကုဒ်သည် ၁၅ မိနစ်အတွင်းသာ အသုံးပြုနိုင်ပါသည်။ | ကုဒ်သည် ၁၅ မိနစ်အထိ သက်တမ်းရှိသည်။
  nb: Koden gjelder i 15 minutter. | Koden utløper om 15 minutter. | Tast den inn innen 15 minutter. | Koden er gyldig i 15 minutter.
  nl: De code is 15 minuten geldig. | De code verloopt over 15 minuten. | Voer hem binnen 15 minuten in. | De code verloopt na 15 minuten.
  pl: Kod jest ważny 15 minut. | Kod wygaśnie po 15 minutach. | Kod wygasa za 15 minut. | Wpisz go w ciągu 15 minut. | Kod straci ważność za 15 minut.
  pt: Ele vale por 15 minutos. | O código expira em 15 minutos. | Introduza-o em até 15 minutos. | O código é válido por 15 minutos. | O código expirará em 15 minutos.
  ro: Codul este valabil 15 minute. | Codul expiră în 15 minute. | Introduceți-l în 15 minute.
  ru: Код действителен 15 минут. | Код действует 15 минут. | Введите его в течение 15 минут. | Срок действия кода — 15 минут. | Код истечёт через 15 минут.
  sk: Kód platí 15 minút. | Platnosť kódu uplynie o 15 minút. | Zadajte ho do 15 minút. | Kód vyprší o 15 minút.
  sl: Koda velja 15 minut. | Koda poteče čez 15 minut. | Vnesite jo v 15 minutah. | Koda bo potekla čez 15 minut.
  sq: Kodi vlen për 15 minuta. | Kodi skadon pas 15 minutash. | Kodi është i vlefshëm për 15 minuta.
  sr: Код важи 15 минута. | Код истиче за 15 минута. | Унесите га у року од 15 минута. | Kod važi 15 minuta. | Kod ističe za 15 minuta.
  sv: Koden gäller i 15 minuter. | Koden går ut om 15 minuter. | Ange den inom 15 minuter. | Koden slutar gälla om 15 minuter. | Den är giltig i 15 minuter.
  sw: Msimbo ni halali kwa dakika 15. | Msimbo utaisha baada ya dakika 15. | Msimbo utaisha muda wake baada ya dakika 15.
  ta: குறியீடு 15 நிமிடங்களுக்கு செல்லுபடியாகும். | குறியீடு 15 நிமிடங்களில் காலாவதியாகும்.
  te: ఈ కోడ్ 15 నిమిషాల పాటు చెల్లుతుంది. | కోడ్ 15 నిమిషాల్లో గడువు ముగుస్తుంది. | ఈ కోడ్ 15 నిమిషాలు చెల్లుబాటు అవుతుంది.
  th: รหัสใช้ได้ 15 นาที | รหัสจะหมดอายุใน 15 นาที | กรอกรหัสภายใน 15 นาที | รหัสมีอายุ 15 นาที
  tl: May bisa ang code sa loob ng 15 minuto. | Mag-e-expire ang code sa loob ng 15 minuto. | Mawawalan ng bisa ang code pagkalipas ng 15 minuto.
  tr: Kod 15 dakika geçerlidir. | Kodun süresi 15 dakika sonra dolacak. | 15 dakika içinde girin. | Kodun geçerlilik süresi 15 dakikadır.
  uk: Код дійсний 15 хвилин. | Код діє 15 хвилин. | Введіть його протягом 15 хвилин. | Термін дії коду спливе через 15 хвилин.
  ur: یہ کوڈ 15 منٹ تک کارآمد ہے | کوڈ 15 منٹ میں ختم ہو جائے گا | کوڈ کی میعاد 15 منٹ ہے
  vi: Mã có hiệu lực trong 15 phút. | Mã sẽ hết hạn sau 15 phút. | Hãy nhập mã trong vòng 15 phút.
  zh-Hans: 验证码15分钟内有效。 | 请在15分钟内输入。 | 有效期为15分钟。 | 验证码将在15分钟后失效。
  zh-Hant: 驗證碼15分鐘內有效。 | 請於15分鐘內輸入。 | 有效時間為15分鐘。 | 驗證碼將於15分鐘後失效。`)

/** The same of an hour, with and without the word for one. */
export const anHour = parse(`
  bg: Кодът е валиден един час. | Кодът изтича след 1 час.
  ca: El codi és vàlid durant una hora.
  cs: Kód platí hodinu. | Kód platí jednu hodinu.
  da: Koden gælder i en time.
  de: Der Code gilt eine Stunde.
  el: Ο κωδικός ισχύει για μία ώρα.
  en: The code is valid for an hour. | The code is valid for one hour.
  es: El código vale una hora.
  et: Kood kehtib ühe tunni. | Kood kehtib tund aega.
  fi: Koodi on voimassa yhden tunnin. | Koodi on voimassa tunnin.
  fr: Le code est valable une heure.
  he: הקוד תקף לשעה אחת. | הקוד בתוקף לשעה.
  hr: Kod vrijedi sat vremena. | Kod vrijedi jedan sat.
  hu: A kód egy óráig érvényes.
  id: Kode berlaku selama satu jam.
  is: Kóðinn gildir í eina klukkustund. | Kóðinn gildir í klukkutíma.
  it: Il codice vale un’ora.
  lt: Kodas galioja vieną valandą. | Kodas galioja valandą.
  lv: Kods ir derīgs vienu stundu. | Kods ir derīgs stundu.
  nb: Koden gjelder i én time. | Koden gjelder i en time.
  nl: De code is een uur geldig. | De code is één uur geldig.
  pl: Kod jest ważny godzinę. | Kod jest ważny przez jedną godzinę.
  pt: Ele vale por uma hora.
  ro: Codul este valabil o oră.
  ru: Код действует час. | Код действует один час.
  sk: Kód platí hodinu. | Kód platí jednu hodinu.
  sl: Koda velja eno uro.
  sr: Код важи сат времена. | Kod važi sat vremena. | Код важи један сат.
  sv: Koden gäller i en timme.
  tr: Kodun süresi bir saat sonra dolacak. | Kod bir saat geçerlidir.
  uk: Код дійсний годину. | Код діє одну годину.
  vi: Mã có hiệu lực trong một giờ.`)

/** The code of a booking in the subject of a mail that confirms it. */
export const bookings = parse(`
  am: የቦታ ማስያዣ ማረጋገጫ – የቦታ ማስያዣ ኮድ *
  ar: تأكيد الحجز – رمز الحجز *
  bg: Потвърждение на резервацията – код за резервация * | Потвърждение – код на резервацията *
  bn: বুকিং নিশ্চিতকরণ – বুকিং কোড *
  ca: Confirmació de la reserva – codi de reserva *
  cs: Potvrzení rezervace – kód rezervace * | Potvrzení – rezervační kód *
  da: Din bookingbekræftelse – bookingkode * | Bekræftelse – reservationskode *
  de: Ihre Buchungsbestätigung – Buchungscode * | Bestätigung Ihrer Reise – Reservierungscode *
  el: Επιβεβαίωση κράτησης – κωδικός κράτησης *
  en: Your booking confirmation – booking code * | Confirmation – reservation code *
  es: Confirmación de su reserva – código de reserva *
  et: Broneeringu kinnitus – broneeringu kood * | Kinnitus – broneeringukood *
  eu: Erreserbaren berrespena – erreserba-kodea *
  fa: تأیید رزرو – کد رزرو *
  fi: Varausvahvistus – varauskoodi *
  fr: Votre confirmation de réservation – code de réservation *
  he: אישור הזמנה – קוד הזמנה *
  hi: बुकिंग की पुष्टि – बुकिंग कोड *
  hr: Potvrda rezervacije – kod rezervacije *
  hu: Foglalás visszaigazolása – foglalási kód *
  hy: Ամրագրման հաստատում – ամրագրման կոդ *
  id: Konfirmasi pemesanan – kode pemesanan * | Konfirmasi – kode booking *
  is: Staðfesting á bókun – bókunarkóði *
  it: Conferma della prenotazione – codice prenotazione * | Conferma – codice di prenotazione *
  ja: 予約確認 – 予約コード*
  ka: ჯავშნის დადასტურება – ჯავშნის კოდი *
  kk: Брондауды растау – брондау коды *
  km: ការបញ្ជាក់ការកក់ – លេខកូដការកក់ *
  ko: 예약 확인 – 예약 코드 *
  lo: ການຢືນຢັນການຈອງ – ລະຫັດການຈອງ *
  lt: Rezervacijos patvirtinimas – rezervacijos kodas *
  lv: Rezervācijas apstiprinājums – rezervācijas kods *
  mn: Захиалгын баталгаажуулалт – захиалгын код *
  ms: Pengesahan tempahan – kod tempahan *
  my: ဘွတ်ကင် အတည်ပြုချက် – ဘွတ်ကင် ကုဒ် *
  nb: Bestillingsbekreftelse – bestillingskode * | Bekreftelse – bookingkode *
  nl: Je boekingsbevestiging – boekingscode * | Bevestiging – reserveringscode *
  pl: Potwierdzenie rezerwacji – kod rezerwacji *
  pt: Confirmação da reserva – código de reserva * | Confirmação – código da reserva *
  ro: Confirmarea rezervării – cod de rezervare *
  ru: Подтверждение бронирования – код бронирования * | Подтверждение – код брони *
  sk: Potvrdenie rezervácie – kód rezervácie * | Potvrdenie – rezervačný kód *
  sl: Potrditev rezervacije – koda rezervacije *
  sq: Konfirmimi i rezervimit – kodi i rezervimit *
  sr: Потврда резервације – код резервације * | Potvrda – kod rezervacije *
  sv: Din bokningsbekräftelse – bokningskod *
  sw: Uthibitisho wa uhifadhi – msimbo wa uhifadhi *
  ta: முன்பதிவு உறுதிப்படுத்தல் – முன்பதிவு குறியீடு *
  te: బుకింగ్ నిర్ధారణ – బుకింగ్ కోడ్ *
  th: ยืนยันการจอง – รหัสการจอง *
  tl: Kumpirmasyon ng booking – booking code *
  tr: Rezervasyon onayı – rezervasyon kodu *
  uk: Підтвердження бронювання – код бронювання *
  ur: بکنگ کی تصدیق – بکنگ کوڈ *
  vi: Xác nhận đặt chỗ – mã đặt chỗ *
  zh-Hans: 预订确认 – 预订代码*
  zh-Hant: 預訂確認 – 預訂代碼*`)
