/**
 * Sentences about codes, by the languages of the corpus. `*` stands for the code, `#` for the end of the number of a card, `¶` for a blank
 * line, and `|` parts the sentences of a language.
 */
export const parse = (list: string): Map<string, string[]> => new Map(list.trim().split('\n').map((line) => {
  const [, tag, rest] = /^\s*([A-Za-z-]+): (.*)$/.exec(line)!
  return [tag!, rest!.split(' | ').map((sentence) => sentence.replaceAll('¶', '\n\n'))]
}))

/** The end of the number of a card, in the sentence of a code and in brackets. */
export const cards = parse(`
  am: በ# በሚያልቅ ካርድ ለመክፈል የማረጋገጫ ኮድዎ * ነው። | የክፍያ ማረጋገጫ ኮድ (የካርዱ የመጨረሻ አራት አሃዞች፦ #):¶*
  ar: رمز التحقق للدفع بالبطاقة المنتهية بـ # هو * | رمز تأكيد الدفع (آخر أربعة أرقام من البطاقة: #):¶*
  bg: Кодът за плащането с карта, завършваща на #, е *. | Код за потвърждение на плащането (последните четири цифри на картата: #):¶*
  bn: # দিয়ে শেষ হওয়া কার্ডে পেমেন্টের কোড: * | পেমেন্ট নিশ্চিত করার কোড (কার্ডের শেষ চার সংখ্যা: #):¶*
  ca: El codi per al pagament amb la targeta acabada en # és *. | Codi per confirmar el pagament (quatre últims dígits de la targeta: #):¶*
  cs: Kód k platbě kartou končící # je *. | Kód k platbě kartou s koncovkou #: * | Kód k potvrzení platby (poslední čtyři číslice karty: #):¶*
  da: Koden til betalingen med kortet, der ender på #, er *. | Kode til at bekræfte betalingen (kortets sidste fire cifre: #):¶*
  de: Der Code für die Zahlung mit der Karte, die auf # endet, lautet *. | TAN für die Karte mit der Endung #: * | Code zur Zahlung (letzte vier Ziffern der Karte: #):¶*
  el: Ο κωδικός για την πληρωμή με την κάρτα που λήγει σε # είναι *. | Κωδικός επιβεβαίωσης πληρωμής (τελευταία τέσσερα ψηφία της κάρτας: #):¶*
  en: The code for the payment with the card ending in # is *. | Code for your card that ends with #: * | Code to confirm it (last four digits of the card: #):¶*
  es: El código para el pago con la tarjeta que termina en # es *. | Código para confirmar el pago (últimos cuatro dígitos de la tarjeta: #):¶*
  et: Kood makseks kaardiga, mis lõpeb numbritega #, on *. | Makse kinnitamise kood (kaardi viimased neli numbrit: #):¶*
  eu: #(e)z amaitzen den txartelaren ordainketarako kodea: * | Ordainketa berresteko kodea (txartelaren azken lau digituak: #):¶*
  fa: کد پرداخت با کارت منتهی به # عبارت است از: * | کد تأیید پرداخت (چهار رقم آخر کارت: #):¶*
  fi: Koodi maksuun kortilla, jonka numero päättyy #, on *. | Maksun vahvistuskoodi (kortin neljä viimeistä numeroa: #):¶*
  fr: Le code pour le paiement avec la carte se terminant par # est *. | Code de confirmation (quatre derniers chiffres de la carte : #) :¶*
  he: קוד האימות לתשלום בכרטיס המסתיים ב-# הוא * | קוד לאישור התשלום (ארבע הספרות האחרונות של הכרטיס: #):¶*
  hi: # पर समाप्त होने वाले कार्ड से भुगतान का कोड * है। | भुगतान की पुष्टि का कोड (कार्ड के अंतिम चार अंक: #):¶*
  hr: Kod za plaćanje karticom koja završava na # je *. | Kod za potvrdu plaćanja (posljednje četiri znamenke kartice: #):¶*
  hu: A #-ra végződő kártyás fizetés kódja: * | Kód a fizetés megerősítéséhez (a kártya utolsó négy számjegye: #):¶*
  hy: #-ով ավարտվող քարտով վճարման կոդը՝ * | Վճարման հաստատման կոդ (քարտի վերջին չորս թվանշանները՝ #):¶*
  id: Kode untuk pembayaran dengan kartu yang berakhiran # adalah *. | Kode konfirmasi pembayaran (empat digit terakhir kartu: #):¶*
  is: Kóðinn fyrir greiðslu með korti sem endar á # er *. | Kóði til að staðfesta greiðslu (síðustu fjórir tölustafir kortsins: #):¶*
  it: Il codice per il pagamento con la carta che termina con # è *. | Codice per confermare il pagamento (ultime quattro cifre della carta: #):¶*
  ja: 末尾が#のカードでのお支払いの認証コードは*です。 | お支払いの認証コード（カード番号の下4桁：#）：¶*
  ka: #-ით დასრულებული ბარათით გადახდის კოდია: * | გადახდის დადასტურების კოდი (ბარათის ბოლო ოთხი ციფრი: #):¶*
  kk: #-мен аяқталатын картамен төлеу коды: * | Төлемді растау коды (картаның соңғы төрт саны: #):¶*
  km: លេខកូដសម្រាប់ការទូទាត់ដោយកាតដែលបញ្ចប់ដោយ # គឺ * | លេខកូដបញ្ជាក់ការទូទាត់ (លេខបួនខ្ទង់ចុងក្រោយនៃកាត៖ #)៖¶*
  ko: 끝자리 # 카드 결제 인증번호는 *입니다. | 결제 확인 인증번호(카드 마지막 네 자리: #):¶*
  lo: ລະຫັດສຳລັບການຊຳລະດ້ວຍບັດທີ່ລົງທ້າຍດ້ວຍ # ແມ່ນ * | ລະຫັດຢືນຢັນການຊຳລະ (ສີ່ຕົວເລກສຸດທ້າຍຂອງບັດ: #):¶*
  lt: Mokėjimo kortele, kurios numeris baigiasi #, kodas yra *. | Mokėjimo patvirtinimo kodas (paskutiniai keturi kortelės skaitmenys: #):¶*
  lv: Kods maksājumam ar karti, kuras numurs beidzas ar #, ir *. | Maksājuma apstiprināšanas kods (kartes pēdējie četri cipari: #):¶*
  mn: #-өөр төгссөн картаар төлөх код: * | Төлбөр баталгаажуулах код (картын сүүлийн дөрвөн орон: #):¶*
  ms: Kod untuk pembayaran dengan kad yang berakhir dengan # ialah *. | Kod pengesahan pembayaran (empat digit terakhir kad: #):¶*
  my: # ဖြင့်ဆုံးသော ကတ်ဖြင့် ငွေပေးချေရန် ကုဒ်: * | ငွေပေးချေမှု အတည်ပြုကုဒ် (ကတ်၏ နောက်ဆုံး ဂဏန်းလေးလုံး: #):¶*
  nb: Koden for betalingen med kortet som slutter på # er *. | Kode for å bekrefte betalingen (kortets siste fire sifre: #):¶*
  nl: De code voor de betaling met de kaart eindigend op # is *. | Code om de betaling te bevestigen (laatste vier cijfers van de kaart: #):¶*
  pl: Kod do płatności kartą kończącą się na # to: * | Kod do karty o końcówce #: * | Kod potwierdzający płatność (ostatnie cztery cyfry karty: #):¶*
  pt: O código para o pagamento com o cartão terminado em # é *. | Código para o cartão final #: * | Código de pagamento (quatro últimos dígitos do cartão: #):¶*
  ro: Codul pentru plata cu cardul care se termină în # este *. | Cod pentru confirmarea plății (ultimele patru cifre ale cardului: #):¶*
  ru: Код для оплаты картой, оканчивающейся на #: * | Код подтверждения оплаты (последние четыре цифры карты: #):¶*
  sk: Kód k platbe kartou končiacou # je *. | Kód na potvrdenie platby (posledné štyri číslice karty: #):¶*
  sl: Koda za plačilo s kartico, ki se končuje na #, je *. | Koda za potrditev plačila (zadnje štiri številke kartice: #):¶*
  sq: Kodi për pagesën me kartën që mbaron me # është *. | Kodi për konfirmimin e pagesës (katër shifrat e fundit të kartës: #):¶*
  sr: Код за плаћање картицом која се завршава на # је *. | Kod za plaćanje (poslednje četiri cifre kartice: #):¶* | Код за плаћање (последње четири цифре картице: #):¶*
  sv: Koden för betalningen med kortet som slutar på # är *. | Kod för att bekräfta betalningen (kortets fyra sista siffror: #):¶*
  sw: Msimbo wa malipo kwa kadi inayoishia na # ni *. | Msimbo wa kuthibitisha malipo (tarakimu nne za mwisho za kadi: #):¶*
  ta: # இல் முடியும் அட்டைக்கான கட்டணக் குறியீடு: * | கட்டண உறுதிப்படுத்தல் குறியீடு (அட்டையின் கடைசி நான்கு இலக்கங்கள்: #):¶*
  te: #తో ముగిసే కార్డు చెల్లింపు కోడ్: * | చెల్లింపు నిర్ధారణ కోడ్ (కార్డు చివరి నాలుగు అంకెలు: #):¶*
  th: รหัสสำหรับการชำระเงินด้วยบัตรที่ลงท้ายด้วย # คือ * | รหัสยืนยันการชำระเงิน (เลข 4 ตัวท้ายของบัตร: #):¶*
  tl: Ang code para sa bayad gamit ang card na nagtatapos sa # ay *. | Code para kumpirmahin ang bayad (huling apat na numero ng card: #):¶*
  tr: # ile biten kartınızla ödeme için doğrulama kodu: * | Ödeme onay kodu (kartın son dört hanesi: #):¶*
  uk: Код для оплати карткою, що закінчується на #: * | Код підтвердження оплати (останні чотири цифри картки: #):¶*
  ur: # پر ختم ہونے والے کارڈ سے ادائیگی کا کوڈ * ہے | ادائیگی کی تصدیق کا کوڈ (کارڈ کے آخری چار ہندسے: #):¶*
  vi: Mã xác nhận thanh toán bằng thẻ có số cuối # là *. | Mã xác nhận thanh toán (bốn số cuối của thẻ: #):¶*
  zh-Hans: 您尾号为#的银行卡支付验证码为* | 支付验证码（卡号后四位：#）：¶*
  zh-Hant: 您末四碼為#的卡片付款驗證碼為* | 付款驗證碼（卡號末四碼：#）：¶*`)

/** A code with a prefix, behind the purpose of the code, and before the words for it. */
export const prefixed = parse(`
  am: የማረጋገጫ ኮድዎ * ነው።
  ar: رمز التحقق الخاص بك هو *
  bg: Вашият код за потвърждение е *. | Въведете кода за потвърждение * в сайта. | * е вашият код.
  bn: আপনার যাচাইকরণ কোড: *
  ca: El teu codi de verificació és *. | Introdueix el codi de verificació * al web. | * és el teu codi.
  cs: Váš kód pro ověření je *. | Zadejte kód pro přihlášení * v aplikaci. | * je váš kód.
  da: Din kode til login er *. | * er din kode.
  de: Ihr Code zur Bestätigung lautet *. | Geben Sie den Code zur Bestätigung * ein. | * ist Ihr Code.
  el: Ο κωδικός επαλήθευσής σας είναι *. | Ο κωδικός επαλήθευσης: *
  en: Your code for signing in is *. | Enter the code of confirmation * on our page. | * is your code.
  es: Tu código de verificación es *. | Introduce el código de confirmación * en la web. | * es tu código de verificación.
  et: Teie kood sisselogimiseks on *. | * on teie kood.
  eu: Zure egiaztapen-kodea: *
  fa: کد تأیید شما * است. | کد تأیید شما: *
  fi: Koodisi kirjautumiseen on *. | * on vahvistuskoodisi.
  fr: Votre code de vérification est *. | Votre code de vérification : * | Saisissez le code de confirmation * sur le site. | * est votre code de vérification.
  he: קוד האימות שלך הוא * | קוד האימות שלך: *
  hi: आपका सत्यापन कोड * है।
  hr: Vaš kod za potvrdu je *. | Unesite kod za potvrdu * na stranici. | * je vaš kod.
  hu: Az ön kódja a belépéshez: *
  hy: Ձեր հաստատման կոդը՝ *
  id: Kode verifikasi Anda adalah *. | Kode Anda: * | Masukkan kode verifikasi * di situs. | * adalah kode verifikasi Anda.
  is: Kóðinn þinn er *. | * er kóðinn þinn.
  it: Il tuo codice di verifica è *. | Inserisci il codice di conferma * sul sito. | * è il tuo codice.
  ja: 確認コードは * です。
  ka: თქვენი დადასტურების კოდია: *
  kk: Растау коды: *
  km: លេខកូដផ្ទៀងផ្ទាត់របស់អ្នក៖ *
  ko: 인증 코드는 *입니다.
  lo: ລະຫັດຢືນຢັນຂອງທ່ານ: *
  lt: Jūsų kodas prisijungimui: * | Jūsų patvirtinimo kodas: *
  lv: Jūsu kods apstiprināšanai: *
  mn: Таны баталгаажуулах код: *
  ms: Kod pengesahan anda ialah *. | Kod anda: *
  my: သင်၏ အတည်ပြုကုဒ်: *
  nb: Koden din for innlogging er *. | Bekreftelseskoden din er *. | * er koden din.
  nl: Je code voor verificatie is *. | Voer de code voor verificatie * in. | * is je code.
  pl: Twój kod weryfikacyjny to *. | Wpisz kod weryfikacyjny * na stronie. | * to Twój kod weryfikacyjny.
  pt: O seu código de confirmação é *. | Introduza o código de confirmação * no site. | O seu código de confirmação: * | * é o seu código.
  ro: Codul dvs. de verificare este *. | Introduceți codul de verificare * pe site. | * este codul dvs.
  ru: Ваш код подтверждения: * | Введите код подтверждения * на сайте. | * — ваш код подтверждения.
  sk: Váš kód na overenie je *. | Zadajte kód na overenie * na stránke. | * je váš kód.
  sl: Vaša koda za prijavo je *. | Vnesite kodo za prijavo * na strani. | * je vaša koda.
  sq: Kodi juaj i verifikimit është *.
  sr: Ваш код за потврду је *. | Унесите код за потврду * на сајту.
  sv: Din kod för inloggning är *. | * är din kod.
  sw: Msimbo wako wa uthibitisho ni *.
  ta: உங்கள் சரிபார்ப்புக் குறியீடு: *
  te: మీ ధృవీకరణ కోడ్: *
  th: รหัสยืนยันของคุณคือ * | รหัสของคุณ: *
  tl: Ang iyong code sa pag-verify ay *.
  tr: Doğrulama kodunuz: *
  uk: Ваш код підтвердження: * | Введіть код підтвердження * на сайті. | * — ваш код підтвердження.
  ur: آپ کا تصدیقی کوڈ * ہے
  vi: Mã xác minh của bạn là *. | Mã của bạn: * | Nhập mã xác minh * trên trang web. | * là mã xác minh của bạn.
  zh-Hans: 您的验证码是 *。
  zh-Hant: 您的驗證碼是 *。`)

/** A code within a sentence, behind the noun or a form of the verb for entering it, and where a reader signs in or opens a box with it. */
export const entered = parse(`
  am: ኮዱን * በማስገባት ያረጋግጡ።
  ar: أكّد التغيير بالنقر على الزر أو بإدخال الرمز * في الإعدادات. | سجّل الدخول بالرمز *.
  bg: Потвърдете с натискане на бутона или с въвеждане на кода * в настройките. | Влезте с код *.
  bn: সেটিংসে * কোডটি লিখে নিশ্চিত করুন।
  ca: Confirma-ho amb el botó o introduint el codi * a la configuració. | Inicia la sessió amb el codi *.
  cs: Potvrďte ji kliknutím na tlačítko nebo vložením kódu * v nastavení. | Potvrďte změnu zadáním kódu *. | Přihlaste se kódem *. | Box otevřete kódem *.
  da: Bekræft ved at klikke på knappen eller ved indtastning af koden * i indstillingerne. | Log ind med koden *.
  de: Bestätigen Sie per Klick oder durch Eingabe des Codes * in den Einstellungen. | Melden Sie sich mit dem Code * an. | Das Fach öffnen Sie mit dem Code *.
  el: Επιβεβαιώστε με το κουμπί ή με εισαγωγή του κωδικού * στις ρυθμίσεις. | Συνδεθείτε με τον κωδικό *.
  en: Confirm it by a click on the button or by entering the code * in your settings. | Sign in with the code *. | Open the box with the code *.
  es: Confírmalo con el botón o introduciendo el código * en los ajustes. | Inicia sesión con el código *. | Abre la taquilla con el código *.
  et: Kinnitage nupule vajutades või koodi * sisestamisega seadetes. | Logige sisse koodiga *. | Kapi avate koodiga *.
  eu: Berretsi botoian klik eginez edo * kodea sartuz.
  fa: با کلیک روی دکمه یا با وارد کردن کد * تأیید کنید. | با کد * وارد شوید.
  fi: Vahvista painikkeesta tai syöttämällä koodi * asetuksissa. | Kirjaudu koodilla *. | Lokero aukeaa koodilla *.
  fr: Confirmez avec le bouton ou en saisissant le code * dans les réglages. | Connectez-vous avec le code *. | Ouvrez le casier avec le code *.
  he: אשרו בלחיצה על הכפתור או בהזנת הקוד * בהגדרות. | התחברו עם הקוד *.
  hi: बटन दबाकर या सेटिंग में कोड * दर्ज करके पुष्टि करें। | कोड * से लॉग इन करें।
  hr: Potvrdite klikom na gumb ili unosom koda * u postavkama. | Prijavite se kodom *. | Ormarić otvorite kodom *.
  hu: Erősítse meg a gombbal vagy a * kód megadásával a beállításokban. | Lépjen be a * kóddal. | A rekeszt a * kóddal nyithatja.
  hy: Հաստատեք սեղմելով կոճակը կամ մուտքագրելով * կոդը։ | Մուտք գործեք * կոդով։
  id: Konfirmasi dengan menekan tombol atau dengan memasukkan kode * di pengaturan. | Masuk dengan kode *. | Buka loker dengan kode *.
  is: Staðfestu með hnappinum eða með því að slá inn kóðann * í stillingum. | Skráðu þig inn með kóðanum *.
  it: Conferma con il pulsante oppure inserendo il codice * nelle impostazioni. | Accedi con il codice *. | Apri l’armadietto con il codice *.
  ja: ボタンを押すか、設定画面でコード*を入力して確認してください。 | コード*でログインしてください。
  ka: დაადასტურეთ ღილაკით ან კოდის * შეყვანით. | შედით კოდით *.
  kk: Түймені басып немесе * кодын енгізіп растаңыз. | * кодымен кіріңіз.
  km: បញ្ជាក់ដោយចុចប៊ូតុង ឬដោយបញ្ចូលលេខកូដ * ក្នុងការកំណត់។
  ko: 버튼을 누르거나 설정에서 코드 * 입력으로 확인하세요. | 코드 *로 로그인하세요.
  lo: ຢືນຢັນໂດຍກົດປຸ່ມ ຫຼືໂດຍປ້ອນລະຫັດ * ໃນການຕັ້ງຄ່າ.
  lt: Patvirtinkite paspausdami mygtuką arba įvesdami kodą * nustatymuose. | Prisijunkite kodu *. | Spintelę atidarysite kodu *. | Patvirtinkite kodo * įvedimu.
  lv: Apstipriniet ar pogu vai ievadot kodu * iestatījumos. | Piesakieties ar kodu *. | Skapīti atveriet ar kodu *. | Apstipriniet ar koda * ievadi.
  mn: Товч дарах эсвэл * кодыг оруулж баталгаажуулна уу. | * кодоор нэвтэрнэ үү.
  ms: Sahkan dengan menekan butang atau dengan memasukkan kod * dalam tetapan. | Log masuk dengan kod *.
  my: ခလုတ်ကိုနှိပ်ပါ သို့မဟုတ် ကုဒ် * ထည့်သွင်း၍ အတည်ပြုပါ။
  nb: Bekreft med knappen eller ved å taste koden * i innstillingene. | Logg inn med koden *. | Skapet åpnes med koden *.
  nl: Bevestig met de knop of door het invoeren van de code * bij de instellingen. | Log in met de code *. | Open het kluisje met de code *.
  pl: Potwierdź przyciskiem lub wpisując kod * w ustawieniach. | Zaloguj się kodem *. | Skrytkę otworzysz kodem *. | Potwierdź to przez wpisanie kodu * w ustawieniach.
  pt: Confirme com o botão ou introduzindo o código * nas definições. | Inicie sessão com o código *. | Abra o cacifo com o código *.
  ro: Confirmați cu butonul sau prin introducerea codului * în setări. | Conectați-vă cu codul *. | Deschideți dulapul cu codul *.
  ru: Подтвердите нажатием кнопки или вводом кода * в настройках. | Подтвердите путём ввода кода *. | Войдите по коду *. | Ячейку можно открыть кодом *.
  sk: Potvrďte kliknutím alebo vložením kódu * v nastaveniach. | Prihláste sa kódom *. | Box otvoríte kódom *. | Zmenu dokončíte zadaním kódu *.
  sl: Potrdite jo s klikom na gumb ali z vnosom kode * v nastavitvah. | Prijavite se s kodo *. | Omarico odprete s kodo *.
  sq: Konfirmojeni me butonin ose duke shkruar kodin * te cilësimet. | Hyni me kodin *.
  sr: Потврдите кликом на дугме или уносом кода * у подешавањима. | Пријавите се кодом *. | Ormarić otvorite kodom *.
  sv: Bekräfta med knappen eller genom att ange koden * i inställningarna. | Logga in med koden *. | Skåpet öppnas med koden *.
  sw: Thibitisha kwa kubofya kitufe au kwa kuingiza msimbo * kwenye mipangilio. | Ingia kwa msimbo *.
  ta: பொத்தானை அழுத்தி அல்லது * குறியீட்டை உள்ளிட்டு உறுதிப்படுத்தவும்.
  te: బటన్ నొక్కి లేదా కోడ్ * నమోదు చేసి నిర్ధారించండి.
  th: ยืนยันโดยกดปุ่มหรือโดยการป้อนรหัส * ในการตั้งค่า | เข้าสู่ระบบด้วยรหัส *
  tl: Kumpirmahin gamit ang button o sa paglalagay ng code * sa mga setting. | Mag-log in gamit ang code *.
  tr: Düğmeye basarak veya ayarlarda * kodunu girerek onaylayın. | * koduyla giriş yapın.
  uk: Підтвердьте кнопкою або введенням коду * в налаштуваннях. | Увійдіть за кодом *. | Комірку відкриєте кодом *.
  ur: بٹن دبا کر یا ترتیبات میں کوڈ * درج کر کے تصدیق کریں | کوڈ * سے لاگ ان کریں
  vi: Xác nhận bằng nút hoặc bằng cách nhập mã * trong phần cài đặt. | Đăng nhập bằng mã *.
  zh-Hans: 请点击按钮或在设置中输入代码*进行确认。
  zh-Hant: 請點選按鈕或在設定中輸入代碼*進行確認。`)

/** The subject of a list of recovery codes, and the line above it. */
export const recovery = parse(`
  am: የመልሶ ማግኛ ኮዶችዎ | እነዚህን የመልሶ ማግኛ ኮዶች ያስቀምጡ፦
  ar: رموز الاسترداد الخاصة بك | احفظ رموز الاسترداد هذه: | رموز النسخ الاحتياطي:
  bg: Вашите кодове за възстановяване | Запазете тези кодове за възстановяване: | Резервни кодове:
  bn: আপনার পুনরুদ্ধার কোড | এই পুনরুদ্ধার কোডগুলি সংরক্ষণ করুন: | ব্যাকআপ কোড:
  ca: Els teus codis de recuperació | Desa aquests codis de recuperació: | Codis de seguretat:
  cs: Vaše záložní kódy | Uložte si tyto záložní kódy: | Kódy pro obnovení:
  da: Dine gendannelseskoder | Gem disse gendannelseskoder: | Reservekoder:
  de: Ihre Wiederherstellungscodes | Bewahren Sie diese Wiederherstellungscodes auf: | Backup-Codes: | Ersatzcodes:
  el: Οι κωδικοί ανάκτησης | Αποθηκεύστε αυτούς τους κωδικούς ανάκτησης: | Εφεδρικοί κωδικοί:
  en: Your recovery codes | Save these recovery codes. Each can be used only once: | Backup codes: | Emergency codes:
  es: Tus códigos de recuperación | Guarda estos códigos de recuperación: | Códigos de respaldo: | Códigos de seguridad:
  et: Teie taastekoodid | Hoidke need taastekoodid alles: | Varukoodid:
  eu: Zure berreskuratze-kodeak | Gorde berreskuratze-kode hauek: | Babeskopia-kodeak:
  fa: کدهای بازیابی شما | این کدهای بازیابی را نگه دارید: | کدهای پشتیبان:
  fi: Palautuskoodisi | Tallenna nämä palautuskoodit: | Varakoodit:
  fr: Vos codes de récupération | Voici vos codes de secours : | Codes de récupération :
  he: קודי השחזור שלך | שמרו את קודי השחזור האלה: | קודי גיבוי:
  hi: आपके रिकवरी कोड | इन रिकवरी कोड को सुरक्षित रखें: | बैकअप कोड:
  hr: Vaši kodovi za oporavak | Spremite ove kodove za oporavak: | Rezervni kodovi:
  hu: Az Ön helyreállítási kódjai | Mentse el ezeket a helyreállítási kódokat: | Tartalék kódok: | Biztonsági kódok:
  hy: Ձեր վերականգնման կոդերը | Պահպանեք այս վերականգնման կոդերը՝ | Պահուստային կոդեր՝
  id: Kode pemulihan Anda | Simpan kode pemulihan ini: | Kode cadangan:
  is: Endurheimtarkóðarnir þínir | Geymdu þessa endurheimtarkóða: | Varakóðar:
  it: I tuoi codici di recupero | Conserva questi codici di recupero: | Codici di backup: | Codici di riserva:
  ja: リカバリーコード | 次のリカバリーコードを保管してください： | バックアップコード：
  ka: თქვენი აღდგენის კოდები | შეინახეთ აღდგენის კოდები: | სარეზერვო კოდები:
  kk: Қалпына келтіру кодтарыңыз | Осы қалпына келтіру кодтарын сақтаңыз: | Резервтік кодтар:
  km: លេខកូដសង្គ្រោះរបស់អ្នក | រក្សាទុកលេខកូដសង្គ្រោះទាំងនេះ៖ | លេខកូដបម្រុង៖
  ko: 복구 코드 | 다음 복구 코드를 보관하세요: | 백업 코드:
  lo: ລະຫັດກູ້ຄືນຂອງທ່ານ | ເກັບລະຫັດກູ້ຄືນເຫຼົ່ານີ້ໄວ້: | ລະຫັດສຳຮອງ:
  lt: Jūsų atkūrimo kodai | Išsaugokite šiuos atkūrimo kodus: | Atsarginiai kodai:
  lv: Jūsu atkopšanas kodi | Saglabājiet šos atkopšanas kodus: | Rezerves kodi:
  mn: Таны сэргээх кодууд | Эдгээр сэргээх кодыг хадгална уу: | Нөөц кодууд:
  ms: Kod pemulihan anda | Simpan kod pemulihan ini: | Kod sandaran:
  my: သင်၏ ပြန်လည်ရယူရေးကုဒ်များ | ဤပြန်လည်ရယူရေးကုဒ်များကို သိမ်းထားပါ: | အရန်ကုဒ်များ:
  nb: Gjenopprettingskodene dine | Ta vare på disse gjenopprettingskodene: | Reservekoder:
  nl: Je herstelcodes | Bewaar deze herstelcodes: | Back-upcodes: | Reservecodes:
  pl: Twoje kody odzyskiwania | Zapisz te kody odzyskiwania: | Kody zapasowe:
  pt: Seus códigos de recuperação | Guarde estes códigos de recuperação: | Códigos de backup: | Códigos alternativos:
  ro: Codurile dvs. de recuperare | Păstrați aceste coduri de recuperare: | Coduri de rezervă:
  ru: Ваши резервные коды | Сохраните эти резервные коды: | Коды восстановления:
  sk: Vaše záložné kódy | Uložte si tieto záložné kódy: | Obnovovacie kódy:
  sl: Vaše obnovitvene kode | Shranite te obnovitvene kode: | Rezervne kode:
  sq: Kodet tuaja të rikuperimit | Ruani këto kode rikuperimi: | Kodet rezervë:
  sr: Ваши кодови за опоравак | Сачувајте ове кодове за опоравак: | Rezervni kodovi: | Резервни кодови:
  sv: Dina återställningskoder | Spara dessa återställningskoder: | Reservkoder:
  sw: Misimbo yako ya urejeshaji | Hifadhi misimbo hii ya urejeshaji: | Misimbo mbadala:
  ta: உங்கள் மீட்புக் குறியீடுகள் | இந்த மீட்புக் குறியீடுகளைச் சேமிக்கவும்: | காப்புக் குறியீடுகள்:
  te: మీ రికవరీ కోడ్‌లు | ఈ రికవరీ కోడ్‌లను భద్రపరచుకోండి: | బ్యాకప్ కోడ్‌లు:
  th: รหัสกู้คืนของคุณ | โปรดเก็บรหัสกู้คืนเหล่านี้: | รหัสสำรอง:
  tl: Ang iyong mga recovery code | I-save ang mga recovery code na ito: | Mga backup code:
  tr: Kurtarma kodlarınız | Bu kurtarma kodlarını saklayın: | Yedek kodlar:
  uk: Ваші коди відновлення | Збережіть ці коди відновлення: | Резервні коди:
  ur: آپ کے ریکوری کوڈز | یہ ریکوری کوڈز محفوظ رکھیں: | بیک اپ کوڈز:
  vi: Mã khôi phục của bạn | Hãy lưu các mã khôi phục này: | Mã dự phòng:
  zh-Hans: 您的恢复代码 | 请保存以下恢复代码： | 备用代码：
  zh-Hant: 您的復原代碼 | 請保存以下復原代碼： | 備用代碼：`)
