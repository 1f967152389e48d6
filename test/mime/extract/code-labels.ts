import { parse } from './code-sentences.ts'

/** "Your code is *", and the same of a code for security, signing in, verification, access and confirmation, in 80 languages. */
export const isCode = parse(`
  af: Jou kode is *. | Jou sekuriteitskode is *. | Jou aanmeldkode is *. | Jou verifikasiekode is *. | Jou toegangskode is *. | Jou bevestigingskode is *.
  am: ኮድዎ * ነው። | የደህንነት ኮድዎ * ነው። | የመግቢያ ኮድዎ * ነው። | የማረጋገጫ ኮድዎ * ነው። | የመዳረሻ ኮድዎ * ነው። | የማጽደቂያ ኮድዎ * ነው።
  ar: رمزك هو *. | رمز الأمان الخاص بك هو *. | رمز تسجيل الدخول الخاص بك هو *. | رمز التحقق الخاص بك هو *. | رمز الوصول الخاص بك هو *. | رمز التأكيد الخاص بك هو *.
  as: আপোনাৰ ক’ড হ’ল *। | আপোনাৰ সুৰক্ষা ক’ড হ’ল *। | আপোনাৰ লগইন ক’ড হ’ল *। | আপোনাৰ সত্যাপন ক’ড হ’ল *। | আপোনাৰ প্ৰৱেশ ক’ড হ’ল *। | আপোনাৰ নিশ্চিতকৰণ ক’ড হ’ল *।
  ast: El to códigu ye *. | El to códigu de seguranza ye *. | El to códigu d'aniciu de sesión ye *. | El to códigu de verificación ye *. | El to códigu d'accesu ye *. | El to códigu de confirmación ye *.
  az: Kodunuz *. | Təhlükəsizlik kodunuz: * | Giriş kodunuz * | Doğrulama kodunuz * | Giriş üçün kodunuz: * | Təsdiq kodunuz *
  be: Ваш код: *. | Ваш код бяспекі — *. | Ваш код для ўваходу — *. | Ваш код праверкі — *. | Ваш код доступу: *. | Ваш код пацвярджэння — *.
  bg: Вашият код е *. | Вашият код за сигурност е *. | Вашият код за вход е *. | Вашият код за проверка е *. | Вашият код за достъп е *. | Вашият код за потвърждение е *.
  bn: আপনার কোড হল *। | আপনার নিরাপত্তা কোড হল *। | আপনার লগইন কোড হল *। | আপনার যাচাইকরণ কোড হল *। | আপনার প্রবেশ কোড *। | আপনার নিশ্চিতকরণ কোড হল *।
  br: Ho kod zo *. | Ho kod surentez zo *. | Ho kod kennaskañ zo *. | Ho kod gwiriañ zo *. | Ho kod tizhout zo *. | Ho kod kadarnaat zo *.
  bs: Vaš kod je *. | Vaš sigurnosni kod je *. | Vaš kod za prijavu je *. | Vaš verifikacijski kod je *. | Vaš pristupni kod je *. | Vaš kod za potvrdu je *.
  ca: El teu codi és *. | El teu codi de seguretat és *. | El teu codi d’inici de sessió és *. | El teu codi de verificació és *. | El teu codi d’accés és *. | El teu codi de confirmació és *.
  ceb: Ang imong code mao ang *. | Ang imong security code mao ang *. | Ang imong login code mao ang *. | Ang imong verification code mao ang *. | Ang imong access code mao ang *. | Ang imong confirmation code mao ang *.
  ckb: کۆدەکەت * ـە. | کۆدی ئاسایشی تۆ: * | کۆدی چوونەژوورەوەت: * | کۆدی پشتڕاستکردنەوەت: * | کۆدی دەستگەیشتنت: * | کۆدی دڵنیاکردنەوەت: *
  co: U vostru codice hè *. | U vostru codice di sicurezza hè *. | U vostru codice di cunnessione hè *. | U vostru codice di verificazione hè *. | U vostru codice d’accessu hè *. | U vostru codice di cunferma hè *.
  cs: Váš kód je *. | Váš bezpečnostní kód je *. | Váš přihlašovací kód je *. | Váš ověřovací kód je *. | Váš přístupový kód je *. | Váš potvrzovací kód je *.
  cy: Eich cod yw *. | Eich cod diogelwch yw *. | Eich cod mewngofnodi yw *. | Eich cod dilysu yw *. | Eich cod mynediad yw *. | Eich cod cadarnhau yw *.
  da: Din kode er *. | Din sikkerhedskode er *. | Din loginkode er *. | Din bekræftelseskode er *. | Din adgangskode er *. | Din verifikationskode er *.
  de: Ihr Code lautet *. | Ihr Sicherheitscode lautet *. | Ihr Anmeldecode ist *. | Ihr Verifizierungscode ist *. | Ihr Zugangscode lautet *. | Ihr Bestätigungscode ist *.
  el: Ο κωδικός σας είναι *. | Ο κωδικός ασφαλείας σας είναι *. | Ο κωδικός σύνδεσής σας είναι *. | Ο κωδικός επαλήθευσής σας είναι *. | Ο κωδικός πρόσβασής σας είναι *. | Ο κωδικός επιβεβαίωσής σας είναι *.
  en: Your code is *. | Your security code is *. | Your login code is *. | Your verification code is *. | Your access code is *. | Your confirmation code is *.
  eo: Via kodo estas *. | Via sekureca kodo estas *. | Via ensaluta kodo estas *. | Via aŭtentiga kodo estas *. | Via alira kodo estas *. | Via konfirma kodo estas *.
  es: Tu código es *. | Su código de seguridad es *. | Tu código de inicio de sesión es *. | Tu código de verificación es el *. | Tu código de acceso es *. | Su código de confirmación es *.
  et: Teie kood on *. | Teie turvakood on *. | Teie sisselogimiskood on *. | Teie tuvastuskood on *. | Teie juurdepääsukood on *. | Teie kinnituskood on *.
  eu: Zure kodea * da. | Zure segurtasun-kodea * da. | Saioa hasteko kodea: * | Zure egiaztapen-kodea * da. | Zure sarbide-kodea * da. | Zure berrespen-kodea * da.
  fa: کد شما * است. | کد امنیتی شما: * | کد ورود شما * است. | کد تأیید شما * است. | کد دسترسی شما * است. | کد تاییدیه شما: *
  fi: Koodisi on *. | Turvakoodisi on *. | Kirjautumiskoodisi on *. | Varmennuskoodisi on *. | Pääsykoodisi on *. | Vahvistuskoodisi on *.
  fo: Kotan hjá tær er *. | Tín trygdarkota er *. | Tín innritanarkota er *. | Tín váttanarkota er *. | Tín atgongdarkota er *. | Tín góðkenningarkota er *.
  fr: Votre code est *. | Votre code de sécurité est le *. | Votre code de connexion est *. | Votre code de vérification est *. | Votre code d’accès est *. | Votre code de confirmation est le *.
  fy: Jo koade is *. | Jo befeiligingskoade is *. | Jo oanmeldkoade is *. | Jo ferifikaasjekoade is *. | Jo tagongskoade is *. | Jo befêstigingskoade is *.
  ga: Is é * do chód. | Is é do chód slándála *. | Is é do chód logála isteach *. | Is é do chód fíoraithe *. | Is é do chód rochtana *. | Is é do chód dearbhaithe *.
  gd: ’S e do chòd *. | ’S e do chòd tèarainteachd *. | ’S e do chòd clàraidh a-steach *. | ’S e do chòd dearbhaidh *. | ’S e do chòd inntrigidh *. | Do chòd daingneachaidh: *
  gl: O teu código é *. | O teu código de seguridade é *. | O teu código de inicio de sesión é *. | O teu código de verificación é *. | O teu código de acceso é *. | O teu código de confirmación é *.
  gu: તમારો કોડ * છે. | તમારો સુરક્ષા કોડ * છે. | તમારો લૉગિન કોડ * છે. | તમારો ચકાસણી કોડ * છે. | તમારો ઍક્સેસ કોડ * છે. | તમારો પુષ્ટિ કોડ * છે.
  ha: Lambar sirrinku ita ce *. | Lambar tsaronku ita ce *. | Lambar shiga ita ce *. | Lambar tabbatarwa ita ce *. | Lambar samun dama ita ce *. | Lambar tantancewa ita ce *.
  he: הקוד שלך הוא *. | קוד האבטחה שלך הוא *. | קוד ההתחברות שלך הוא *. | קוד האימות שלך הוא *. | קוד הגישה שלך הוא *. | קוד האישור שלך הוא *.
  hi: आपका कोड * है। | आपका सुरक्षा कोड * है। | आपका लॉगिन कोड * है। | आपका सत्यापन कोड * है। | आपका एक्सेस कोड * है। | आपका पुष्टिकरण कोड * है।
  hr: Vaš kod je *. | Vaš sigurnosni kôd je *. | Vaš kod za prijavu je *. | Vaš kod za provjeru je *. | Vaš pristupni kod je *. | Vaš kod za potvrdu je *.
  ht: Kòd ou se *. | Kòd sekirite ou se *. | Kòd koneksyon ou se *. | Kòd verifikasyon ou se *. | Kòd aksè ou se *. | Kòd konfimasyon ou se *.
  hu: Az Ön kódja: *. | Az Ön biztonsági kódja *. | A bejelentkezési kódod: *. | Az ellenőrző kódod *. | A hozzáférési kódod *. | A megerősítő kódod: *.
  hy: Ձեր կոդն է՝ *։ | Ձեր անվտանգության կոդն է՝ *։ | Ձեր մուտքի կոդն է՝ *։ | Ձեր ստուգման կոդն է՝ *։ | Ձեր մուտքի թույլտվության կոդը՝ *։ | Ձեր հաստատման կոդն է՝ *։
  id: Kode Anda adalah *. | Kode keamanan Anda adalah *. | Kode masuk Anda adalah *. | Kode verifikasi Anda adalah *. | Kode akses Anda adalah *. | Kode konfirmasi Anda adalah *.
  ig: Koodu gị bụ *. | Koodu nchekwa gị bụ *. | Koodu mbanye gị bụ *. | Koodu nkwenye gị bụ *. | Koodu nnweta gị bụ *. | Koodu nnwale gị bụ *.
  is: Kóðinn þinn er *. | Öryggiskóðinn þinn er *. | Innskráningarkóðinn þinn er *. | Sannprófunarkóðinn þinn er *. | Aðgangskóðinn þinn er *. | Staðfestingarkóðinn þinn er *.
  it: Il tuo codice è *. | Il tuo codice di sicurezza è *. | Il tuo codice di accesso è *. | Il tuo codice di verifica è *. | Il suo codice per accedere è *. | Il tuo codice di conferma è *.
  ja: あなたのコードは*です。 | セキュリティコードは*です。 | ログインコードは*です。 | 認証コードは*です。 | アクセスコードは*です。 | 確認コードは*です。
  jv: Kode sampeyan yaiku *. | Kode keamanan sampeyan yaiku *. | Kode mlebu sampeyan yaiku *. | Kode verifikasi sampeyan yaiku *. | Kode akses sampeyan yaiku *. | Kode konfirmasi sampeyan yaiku *.
  ka: თქვენი კოდია *. | თქვენი უსაფრთხოების კოდია *. | თქვენი შესვლის კოდია *. | თქვენი ვერიფიკაციის კოდია *. | თქვენი წვდომის კოდია *. | თქვენი დადასტურების კოდია *.
  kk: Сіздің кодыңыз: *. | Қауіпсіздік кодыңыз — *. | Кіру кодыңыз: *. | Тексеру кодыңыз: *. | Қол жеткізу кодыңыз: *. | Растау кодыңыз — *.
  km: លេខកូដរបស់អ្នកគឺ *។ | លេខកូដសុវត្ថិភាពរបស់អ្នកគឺ *។ | លេខកូដចូលរបស់អ្នកគឺ *។ | លេខកូដផ្ទៀងផ្ទាត់របស់អ្នកគឺ *។ | លេខកូដចូលប្រើរបស់អ្នកគឺ *។ | លេខកូដបញ្ជាក់របស់អ្នកគឺ *។
  kn: ನಿಮ್ಮ ಕೋಡ್ *. | ನಿಮ್ಮ ಭದ್ರತಾ ಕೋಡ್ *. | ನಿಮ್ಮ ಲಾಗಿನ್ ಕೋಡ್ * ಆಗಿದೆ. | ನಿಮ್ಮ ಪರಿಶೀಲನಾ ಕೋಡ್ * ಆಗಿದೆ. | ನಿಮ್ಮ ಪ್ರವೇಶ ಕೋಡ್ *. | ನಿಮ್ಮ ದೃಢೀಕರಣ ಕೋಡ್ *.
  ko: 코드는 *입니다. | 보안 코드는 *입니다. | 로그인 코드는 *입니다. | 인증 코드는 *입니다. | 액세스 코드는 *입니다. | 확인 코드는 *입니다.
  ku: Koda te * e. | Koda te ya ewlehiyê * e. | Koda te ya têketinê * e. | Koda te ya piştrastkirinê * e. | Koda te ya gihîştinê * e. | Koda te ya erêkirinê * e.
  ky: Сиздин кодуңуз: *. | Коопсуздук кодуңуз: *. | Кирүү кодуңуз: *. | Текшерүү кодуңуз: *. | Жетүү кодуңуз: *. | Ырастоо кодуңуз: *.
  lb: Äre Code ass *. | Äre Sécherheetscode ass *. | Ären Umeldungscode ass *. | Äre Verifizéierungscode ass *. | Ären Zougangscode ass *. | Äre Confirmatiounscode ass *.
  lo: ລະຫັດຂອງທ່ານແມ່ນ *. | ລະຫັດຄວາມປອດໄພຂອງທ່ານແມ່ນ *. | ລະຫັດເຂົ້າສູ່ລະບົບຂອງທ່ານແມ່ນ *. | ລະຫັດກວດສອບຂອງທ່ານແມ່ນ *. | ລະຫັດເຂົ້າເຖິງຂອງທ່ານແມ່ນ *. | ລະຫັດຢືນຢັນຂອງທ່ານແມ່ນ *.
  lt: Jūsų kodas yra *. | Jūsų saugos kodas yra *. | Jūsų prisijungimo kodas yra *. | Jūsų tikrinimo kodas – *. | Jūsų prieigos kodas yra *. | Jūsų patvirtinimo kodas yra *.
  lv: Jūsu kods ir *. | Jūsu drošības kods ir *. | Jūsu pieteikšanās kods ir *. | Jūsu verifikācijas kods ir *. | Jūsu piekļuves kods ir *. | Jūsu apstiprinājuma kods ir *.
  mg: Ny kaodinao dia *. | Ny kaody fiarovanao dia *. | Ny kaody fidiranao dia *. | Ny kaody fanamarinanao dia *. | Ny kaody fahazoanao miditra dia *. | Ny kaody fanamafisanao dia *.
  mi: Ko tō waehere ko *. | Ko tō waehere haumarutanga ko *. | Ko tō waehere takiuru ko *. | Ko tō waehere manatoko ko *. | Ko tō waehere uru ko *. | Ko tō waehere whakaū ko *.
  mk: Вашиот код е *. | Вашиот безбедносен код е *. | Вашиот код за најава е *. | Вашиот код за верификација е *. | Вашиот код за пристап е *. | Вашиот код за потврда е *.
  ml: നിങ്ങളുടെ കോഡ് * ആണ്. | നിങ്ങളുടെ സുരക്ഷാ കോഡ് * ആണ്. | നിങ്ങളുടെ ലോഗിൻ കോഡ് * ആണ്. | നിങ്ങളുടെ പരിശോധനാ കോഡ് * ആണ്. | നിങ്ങളുടെ ആക്സസ് കോഡ് * ആണ്. | നിങ്ങളുടെ സ്ഥിരീകരണ കോഡ് * ആണ്.
  mn: Таны код *. | Таны аюулгүй байдлын код: * | Таны нэвтрэх код: * | Таны шалгах код: * | Таны хандалтын код: * | Таны баталгаажуулах код *
  mr: तुमचा कोड * आहे. | तुमचा सुरक्षा कोड * आहे. | तुमचा लॉगिन कोड * आहे. | तुमचा पडताळणी कोड * आहे. | तुमचा प्रवेश कोड * आहे. | तुमचा पुष्टीकरण कोड * आहे.
  ms: Kod anda ialah *. | Kod keselamatan anda ialah *. | Kod log masuk anda ialah *. | Kod pengesahan anda ialah *. | Kod akses anda ialah *. | Kod pengesahan e-mel anda ialah *.
  mt: Il-kodiċi tiegħek huwa *. | Il-kodiċi tas-sigurtà tiegħek huwa *. | Il-kodiċi tal-login tiegħek huwa *. | Il-kodiċi tal-verifika tiegħek huwa *. | Il-kodiċi tal-aċċess tiegħek huwa *. | Il-kodiċi tal-konferma tiegħek huwa *.
  my: သင့်ကုဒ်မှာ * ဖြစ်သည်။ | သင့်လုံခြုံရေးကုဒ်မှာ * ဖြစ်သည်။ | သင့်လော့ဂ်အင်ကုဒ်မှာ * ဖြစ်သည်။ | သင့်စိစစ်ရေးကုဒ်မှာ * ဖြစ်သည်။ | သင့်ဝင်ရောက်ခွင့်ကုဒ်မှာ * ဖြစ်သည်။ | သင့်အတည်ပြုကုဒ်မှာ * ဖြစ်သည်။
  nb: Koden din er *. | Sikkerhetskoden din er *. | Innloggingskoden din er *. | Verifiseringskoden din er *. | Tilgangskoden din er *. | Bekreftelseskoden din er *.
  ne: तपाईंको कोड * हो। | तपाईंको सुरक्षा कोड * हो। | तपाईंको लगइन कोड * हो। | तपाईंको प्रमाणीकरण कोड * हो। | तपाईंको पहुँच कोड * हो। | तपाईंको पुष्टि कोड * हो।
  nl: Je code is *. | Uw beveiligingscode is *. | Je inlogcode is *. | Je verificatiecode is *. | Uw toegangscode is *. | Je bevestigingscode is *.
  nn: Koden din er *. | Tryggingskoden din er *. | Innloggingskoden din er *. | Verifiseringskoden din er *. | Tilgangskoden din er *. | Stadfestingskoden din er *.
  oc: Vòstre còdi es *. | Vòstre còdi de seguretat es *. | Vòstre còdi de connexion es *. | Vòstre còdi de verificacion es *. | Vòstre còdi d’accès es *. | Vòstre còdi de confirmacion es *.
  or: ଆପଣଙ୍କ କୋଡ୍ ହେଉଛି *। | ଆପଣଙ୍କ ସୁରକ୍ଷା କୋଡ୍ ହେଉଛି *। | ଆପଣଙ୍କ ଲଗଇନ୍ କୋଡ୍ ହେଉଛି *। | ଆପଣଙ୍କ ଯାଞ୍ଚ କୋଡ୍ ହେଉଛି *। | ଆପଣଙ୍କ ପ୍ରବେଶ କୋଡ୍ ହେଉଛି *। | ଆପଣଙ୍କ ନିଶ୍ଚିତକରଣ କୋଡ୍ ହେଉଛି *।
  pa: ਤੁਹਾਡਾ ਕੋਡ * ਹੈ। | ਤੁਹਾਡਾ ਸੁਰੱਖਿਆ ਕੋਡ * ਹੈ। | ਤੁਹਾਡਾ ਲੌਗਇਨ ਕੋਡ * ਹੈ। | ਤੁਹਾਡਾ ਪੁਸ਼ਟੀਕਰਨ ਕੋਡ * ਹੈ। | ਤੁਹਾਡਾ ਪਹੁੰਚ ਕੋਡ * ਹੈ। | ਤੁਹਾਡਾ ਤਸਦੀਕ ਕੋਡ * ਹੈ।
  pl: Twój kod to *. | Twój kod bezpieczeństwa to *. | Twój kod logowania to *. | Twój kod weryfikacyjny to *. | Twój kod dostępu to *. | Twój kod potwierdzający to *.
  ps: ستاسو کوډ * دی. | ستاسو امنیتي کوډ * دی. | ستاسو د ننوتلو کوډ * دی. | ستاسو د تایید کوډ * دی. | ستاسو د لاسرسي کوډ * دی. | ستاسو د تصدیق کوډ * دی.
  pt: O seu código é *. | O seu código de segurança é o *. | Seu código de login é *. | Seu código de verificação é *. | O seu código de acesso é *. | Seu código de confirmação é *.
  ro: Codul tău este *. | Codul tău de securitate este *. | Codul tău de conectare este *. | Codul dvs. de verificare este *. | Codul de acces este *. | Codul dumneavoastră de confirmare este *.
  ru: Ваш код: *. | Ваш код безопасности — *. | Ваш код для входа: *. | Ваш проверочный код — *. | Ваш код доступа: *. | Ваш код подтверждения — *.
  rw: Kode yawe ni *. | Kode yawe y’umutekano ni *. | Kode yawe yo kwinjira ni *. | Kode yawe yo kwemeza ni *. | Kode yawe yo kubona ni *. | Kode yawe y’icyemezo ni *.
  sc: Su còdighe tuo est *. | Su còdighe de seguresa tuo est *. | Su còdighe de intrada tuo est *. | Su còdighe de verìfica tuo est *. | Su còdighe de atzessu tuo est *. | Su còdighe de cunfirma tuo est *.
  sd: توهان جو ڪوڊ * آهي. | توهان جو سيڪيورٽي ڪوڊ * آهي. | توهان جو لاگ ان ڪوڊ * آهي. | توهان جو تصديقي ڪوڊ * آهي. | توهان جو رسائي ڪوڊ * آهي. | توهان جو پڪ ڪرڻ جو ڪوڊ * آهي.
  si: ඔබේ කේතය * වේ. | ඔබේ ආරක්ෂක කේතය * වේ. | ඔබේ පිවිසුම් කේතය * වේ. | ඔබේ සත්‍යාපන කේතය * වේ. | ඔබේ ප්‍රවේශ කේතය * වේ. | ඔබේ තහවුරු කිරීමේ කේතය * වේ.
  sk: Váš kód je *. | Váš bezpečnostný kód je *. | Váš prihlasovací kód je *. | Váš overovací kód je *. | Váš prístupový kód je *. | Váš potvrdzovací kód je *.
  sl: Vaša koda je *. | Vaša varnostna koda je *. | Vaša prijavna koda je *. | Vaša koda za preverjanje je *. | Vaša koda za dostop je *. | Vaša potrditvena koda je *.
  sn: Kodhi yenyu ndi *. | Kodhi yenyu yekuchengeteka ndi *. | Kodhi yenyu yekupinda ndi *. | Kodhi yenyu yekusimbisa ndi *. | Kodhi yenyu yekuwana ndi *. | Kodhi yenyu yechitupa ndi *.
  so: Koodhkaagu waa *. | Koodhka amniga waa *. | Koodhka gelitaanka waa *. | Koodhka xaqiijinta waa *. | Koodhka galitaanka waa *. | Koodhka ansixinta waa *.
  sq: Kodi juaj është *. | Kodi juaj i sigurisë është *. | Kodi juaj i hyrjes është *. | Kodi juaj i verifikimit është *. | Kodi juaj i qasjes është *. | Kodi juaj i konfirmimit është *.
  sr: Ваш код је *. | Ваш безбедносни код је *. | Ваш код за пријаву је *. | Ваш верификациони код је *. | Ваш приступни код је *. | Vaš kod za potvrdu je *.
  st: Khoutu ea hau ke *. | Khoutu ea hau ea tšireletso ke *. | Khoutu ea hau ea ho kena ke *. | Khoutu ea hau ea netefatso ke *. | Khoutu ea hau ea phihlello ke *. | Khoutu ea hau ea tiiso ke *.
  sv: Din kod är *. | Din säkerhetskod är *. | Din inloggningskod är *. | Din verifieringskod är *. | Din åtkomstkod är *. | Din bekräftelsekod är *.
  sw: Msimbo wako ni *. | Msimbo wako wa usalama ni *. | Msimbo wako wa kuingia ni *. | Msimbo wako wa uthibitishaji ni *. | Nambari yako ya siri ni *. | Msimbo wako wa kuthibitisha ni *.
  ta: உங்கள் குறியீடு *. | உங்கள் பாதுகாப்புக் குறியீடு: * | உங்கள் உள்நுழைவுக் குறியீடு *. | உங்கள் சரிபார்ப்புக் குறியீடு * ஆகும். | உங்கள் அணுகல் குறியீடு *. | உங்கள் உறுதிப்படுத்தல் குறியீடு *.
  te: మీ కోడ్ *. | మీ భద్రతా కోడ్ *. | మీ లాగిన్ కోడ్ *. | మీ ధృవీకరణ కోడ్ *. | మీ యాక్సెస్ కోడ్ *. | మీ నిర్ధారణ కోడ్ *.
  tg: Рамзи шумо *. | Рамзи амнияти шумо: * | Рамзи воридшавии шумо: * | Рамзи санҷиши шумо: * | Рамзи дастрасии шумо: * | Рамзи тасдиқи шумо *
  th: รหัสของคุณคือ * | รหัสความปลอดภัยของคุณคือ * | รหัสเข้าสู่ระบบของคุณคือ * | รหัสตรวจสอบของคุณคือ * | รหัสเข้าใช้งานของคุณคือ * | รหัสยืนยันของคุณคือ *
  tk: Siziň koduňyz: *. | Howpsuzlyk kodyňyz: *. | Giriş kodyňyz: *. | Barlag kodyňyz: *. | Elýeterlilik kodyňyz: *. | Tassyklama kodyňyz: *.
  tl: Ang iyong code ay *. | Ang iyong security code ay *. | Ang iyong login code ay *. | Ang iyong verification code ay *. | Ang iyong access code ay *. | Ang iyong confirmation code ay *.
  tr: Kodunuz *. | Güvenlik kodunuz: * | Giriş kodunuz *. | Doğrulama kodunuz *. | Erişim kodunuz: * | Onay kodunuz *’dir.
  tt: Сезнең код: *. | Сезнең куркынычсызлык коды: *. | Сезнең керү коды: *. | Сезнең тикшерү коды: *. | Сезнең рөхсәт коды: *. | Сезнең раслау коды: *.
  ug: كودىڭىز: *. | بىخەتەرلىك كودىڭىز: *. | كىرىش كودىڭىز: *. | دەلىللەش كودىڭىز: *. | زىيارەت كودىڭىز: *. | جەزملەش كودىڭىز: *.
  uk: Ваш код: *. | Ваш код безпеки — *. | Ваш код для входу — *. | Ваш код перевірки: *. | Ваш код доступу — *. | Ваш код підтвердження: *.
  ur: آپ کا کوڈ * ہے۔ | آپ کا سیکیورٹی کوڈ * ہے۔ | آپ کا لاگ ان کوڈ * ہے۔ | آپ کا تصدیقی کوڈ * ہے۔ | آپ کا رسائی کوڈ * ہے۔ | آپ کا توثیقی کوڈ * ہے۔
  uz: Kodingiz: *. | Xavfsizlik kodingiz: *. | Kirish kodingiz: *. | Tekshiruv kodingiz: *. | Ruxsat kodingiz: *. | Tasdiqlash kodingiz *.
  vi: Mã của bạn là *. | Mã bảo mật của bạn là *. | Mã đăng nhập của bạn là *. | Mã xác minh của bạn là *. | Mã truy cập của bạn là *. | Mã xác nhận của bạn là *.
  xh: Ikhowudi yakho: *. | Ikhowudi yakho yokhuseleko: *. | Ikhowudi yakho yokungena: *. | Ikhowudi yakho yokuqinisekisa: *. | Ikhowudi yakho yofikelelo: *. | Ikhowudi yesiqinisekiso: *.
  yi: אײַער קאָד איז *. | אײַער זיכערהייט קאָד איז *. | אײַער אַרײַנלאָגירן קאָד איז *. | אײַער באַשטעטיקונג קאָד איז *. | אײַער צוטריט קאָד איז *. | אײַער וועריפֿיקאַציע קאָד איז *.
  yo: Kóòdù rẹ ni *. | Kóòdù ààbò rẹ ni *. | Kóòdù ìwọlé rẹ ni *. | Kóòdù ìmúdájú rẹ ni *. | Kóòdù ìráàyè rẹ ni *. | Kóòdù ìfìdímúlẹ̀ rẹ ni *.
  zh-Hans: 您的代码是*。 | 您的安全码是*。 | 您的登录码是*。 | 您的验证码是*。 | 您的访问代码是*。 | 您的确认码为*。
  zh-Hant: 您的代碼是*。 | 您的安全碼是*。 | 您的登入碼是*。 | 您的驗證碼是*。 | 您的存取碼是*。 | 您的確認碼為*。
  zu: Ikhodi yakho ithi *. | Ikhodi yakho yokuvikela ithi *. | Ikhodi yakho yokungena: *. | Ikhodi yakho yokuqinisekisa ithi *. | Ikhodi yakho yokufinyelela: *. | Ikhodi yakho yokuqinisekisa i-imeyili: *.`)

/** Codes of branches and the like, which are none for a person, in languages whose code words are beside those above. */
export const branchCodes = `
  Takkode Cod_cangen Filia_kodo Код_аддзялення Филиал_коды Бөлүм_коду Рамзи_филиал Filial_kodi Filial_kodu Útibúskóði शाखा_कोड શાખા_કોડ ਬ੍ਰਾਂਚ_ਕੋਡ ଶାଖା_କୋଡ୍ ശാഖാ_കോഡ് ಶಾಖೆ_ಕೋಡ್ ශාඛා_කේතය د_څانګې_کوډ
  شاخ_جو_ڪوڊ شۆبە_كودى Şahamça_kody Kode_y’ishami Filialcode צווייג_קאָד Kode_cabang ລະຫັດສາຂາ Салбарын_код ფილიალის_კოდი Մասնաճյուղի_կոդ Haru_kood Konttorikoodi کۆدی_لق`.trim().split(/\s+/).map((label) => label.replaceAll('_', ' '))

/**
 * The two codes of a change: for the old and the new address, of the present and the new holder, the old and the new phone, and the
 * old and the new device.
 */
export const twoCodes = parse(`
  af: Kode vir die ou adres / Kode vir die nuwe adres | Kode van die huidige eienaar / Kode van die nuwe eienaar | Kode vir die ou foon / Kode vir die nuwe foon | Kode vir die ou toestel / Kode vir die nuwe toestel
  ar: رمز العنوان القديم / رمز العنوان الجديد | رمز المالك الحالي / رمز المالك الجديد | رمز الهاتف القديم / رمز الهاتف الجديد | رمز الجهاز القديم / رمز الجهاز الجديد
  be: Код для старога адраса / Код для новага адраса | Код цяперашняга ўладальніка / Код новага ўладальніка | Код старога тэлефона / Код новага тэлефона | Код старой прылады / Код новай прылады
  bg: Код за стария адрес / Код за новия адрес | Код на текущия титуляр / Код на новия титуляр | Код за стария телефон / Код за новия телефон | Код на старото устройство / Код на новото устройство
  bn: পুরনো ঠিকানার কোড / নতুন ঠিকানার কোড | বর্তমান মালিকের কোড / নতুন মালিকের কোড | পুরনো ফোনের কোড / নতুন ফোনের কোড | পুরনো ডিভাইসের কোড / নতুন ডিভাইসের কোড
  ca: Codi de l’adreça antiga / Codi de l’adreça nova | Codi del titular actual / Codi del nou titular | Codi del telèfon antic / Codi del telèfon nou | Codi del dispositiu antic / Codi del dispositiu nou
  cs: Kód pro starou adresu / Kód pro novou adresu | Kód současného majitele / Kód nového majitele | Kód starého telefonu / Kód nového telefonu | Kód starého zařízení / Kód nového zařízení
  cy: Cod ar gyfer yr hen gyfeiriad / Cod ar gyfer y cyfeiriad newydd | Cod y deiliad presennol / Cod y deiliad newydd | Cod yr hen ffôn / Cod y ffôn newydd | Cod yr hen ddyfais / Cod y ddyfais newydd
  da: Kode til den gamle adresse / Kode til den nye adresse | Kode til den nuværende ejer / Kode til den nye ejer | Kode til den gamle telefon / Kode til den nye telefon | Kode til den gamle enhed / Kode til den nye enhed
  de: Code für die alte Adresse / Code für die neue Adresse | Code des bisherigen Inhabers / Code des neuen Inhabers | Code für das alte Telefon / Code für das neue Telefon | Code des alten Geräts / Code des neuen Geräts
  el: Κωδικός για την παλιά διεύθυνση / Κωδικός για τη νέα διεύθυνση | Κωδικός του σημερινού κατόχου / Κωδικός του νέου κατόχου | Κωδικός παλιού τηλεφώνου / Κωδικός νέου τηλεφώνου | Κωδικός παλιάς συσκευής / Κωδικός νέας συσκευής
  en: Code for the old address / Code for the new address | Code of the current holder / Code of the new holder | Old phone code / New phone code | Code from the old device / Code from the new device
  es: Código del correo anterior / Código del correo nuevo | Código del titular actual / Código del nuevo titular | Código del teléfono antiguo / Código del teléfono nuevo | Código del dispositivo viejo / Código del dispositivo nuevo
  et: Vana aadressi kood / Uue aadressi kood | Praeguse omaniku kood / Uue omaniku kood | Vana telefoni kood / Uue telefoni kood | Vana seadme kood / Uue seadme kood
  eu: Helbide zaharraren kodea / Helbide berriaren kodea | Egungo titularraren kodea / Titular berriaren kodea | Telefono zaharraren kodea / Telefono berriaren kodea | Gailu zaharraren kodea / Gailu berriaren kodea
  fa: کد نشانی قدیم / کد نشانی جدید | کد مالک فعلی / کد مالک جدید | کد تلفن قدیم / کد تلفن جدید | کد دستگاه قدیم / کد دستگاه جدید
  fi: Vanhan osoitteen koodi / Uuden osoitteen koodi | Nykyisen omistajan koodi / Uuden omistajan koodi | Vanhan puhelimen koodi / Uuden puhelimen koodi | Vanhan laitteen koodi / Uuden laitteen koodi
  fr: Code de l’ancienne adresse / Code de la nouvelle adresse | Code du titulaire actuel / Code du nouveau titulaire | Code de l’ancien téléphone / Code du nouveau téléphone | Code de l’ancien appareil / Code du nouvel appareil
  gl: Código do enderezo antigo / Código do enderezo novo | Código do titular actual / Código do novo titular | Código do teléfono antigo / Código do teléfono novo | Código do dispositivo antigo / Código do dispositivo novo
  he: קוד לכתובת הישנה / קוד לכתובת החדשה | קוד הבעלים הנוכחי / קוד הבעלים החדש | קוד הטלפון הישן / קוד הטלפון החדש | קוד המכשיר הישן / קוד המכשיר החדש
  hi: पुराने पते का कोड / नए पते का कोड | वर्तमान धारक का कोड / नए धारक का कोड | पुराने फ़ोन का कोड / नए फ़ोन का कोड | पुराने डिवाइस का कोड / नए डिवाइस का कोड
  hr: Kod za staru adresu / Kod za novu adresu | Kod sadašnjeg vlasnika / Kod novog vlasnika | Kod starog telefona / Kod novog telefona | Kod starog uređaja / Kod novog uređaja
  hu: A régi cím kódja / Az új cím kódja | A jelenlegi tulajdonos kódja / Az új tulajdonos kódja | A régi telefon kódja / Az új telefon kódja | A régi eszköz kódja / Az új eszköz kódja
  hy: Հին հասցեի կոդը / Նոր հասցեի կոդը | Ներկայիս սեփականատիրոջ կոդը / Նոր սեփականատիրոջ կոդը | Հին հեռախոսի կոդը / Նոր հեռախոսի կոդը | Հին սարքի կոդը / Նոր սարքի կոդը
  id: Kode untuk alamat lama / Kode untuk alamat baru | Kode pemilik saat ini / Kode pemilik baru | Kode telepon lama / Kode telepon baru | Kode perangkat lama / Kode perangkat baru
  is: Kóði fyrir gamla netfangið / Kóði fyrir nýja netfangið | Kóði núverandi eiganda / Kóði nýs eiganda | Kóði gamla símans / Kóði nýja símans | Kóði gamla tækisins / Kóði nýja tækisins
  it: Codice del vecchio indirizzo / Codice del nuovo indirizzo | Codice dell’intestatario attuale / Codice del nuovo intestatario | Codice del telefono precedente / Codice del nuovo telefono | Codice del vecchio dispositivo / Codice del nuovo dispositivo
  ja: 旧メールアドレスのコード / 新メールアドレスのコード | 現在の所有者のコード / 新しい所有者のコード | 古い電話のコード / 新しい電話のコード | 古いデバイスのコード / 新しいデバイスのコード
  ka: ძველი მისამართის კოდი / ახალი მისამართის კოდი | ამჟამინდელი მფლობელის კოდი / ახალი მფლობელის კოდი | ძველი ტელეფონის კოდი / ახალი ტელეფონის კოდი | ძველი მოწყობილობის კოდი / ახალი მოწყობილობის კოდი
  kk: Ескі мекенжай коды / Жаңа мекенжай коды | Қазіргі иесінің коды / Жаңа иесінің коды | Ескі телефон коды / Жаңа телефон коды | Ескі құрылғы коды / Жаңа құрылғы коды
  ko: 기존 이메일 코드 / 새 이메일 코드 | 현재 소유자 코드 / 새 소유자 코드 | 기존 휴대전화 코드 / 새 휴대전화 코드 | 기존 기기 코드 / 새 기기 코드
  lt: Senojo adreso kodas / Naujojo adreso kodas | Dabartinio savininko kodas / Naujojo savininko kodas | Senojo telefono kodas / Naujojo telefono kodas | Senojo įrenginio kodas / Naujojo įrenginio kodas
  lv: Vecās adreses kods / Jaunās adreses kods | Pašreizējā īpašnieka kods / Jaunā īpašnieka kods | Vecā tālruņa kods / Jaunā tālruņa kods | Vecās ierīces kods / Jaunās ierīces kods
  mk: Код за старата адреса / Код за новата адреса | Код на сегашниот сопственик / Код на новиот сопственик | Код на стариот телефон / Код на новиот телефон | Код на стариот уред / Код на новиот уред
  mn: Хуучин хаягийн код / Шинэ хаягийн код | Одоогийн эзэмшигчийн код / Шинэ эзэмшигчийн код | Хуучин утасны код / Шинэ утасны код | Хуучин төхөөрөмжийн код / Шинэ төхөөрөмжийн код
  ms: Kod untuk alamat lama / Kod untuk alamat baharu | Kod pemilik semasa / Kod pemilik baharu | Kod telefon lama / Kod telefon baharu | Kod peranti lama / Kod peranti baharu
  nb: Kode til den gamle adressen / Kode til den nye adressen | Kode for nåværende eier / Kode for ny eier | Kode for den gamle telefonen / Kode for den nye telefonen | Kode for den gamle enheten / Kode for den nye enheten
  nl: Code voor het oude adres / Code voor het nieuwe adres | Code van de huidige houder / Code van de nieuwe houder | Code van de oude telefoon / Code van de nieuwe telefoon | Code van het oude toestel / Code van het nieuwe toestel
  pl: Kod dla starego adresu / Kod dla nowego adresu | Kod obecnego właściciela / Kod nowego właściciela | Kod ze starego telefonu / Kod z nowego telefonu | Kod starego urządzenia / Kod nowego urządzenia
  pt: Código do e-mail antigo / Código do e-mail novo | Código do titular atual / Código do novo titular | Código do celular antigo / Código do celular novo | Código do aparelho antigo / Código do aparelho novo
  ro: Codul adresei vechi / Codul adresei noi | Codul titularului actual / Codul noului titular | Codul telefonului vechi / Codul telefonului nou | Codul dispozitivului vechi / Codul dispozitivului nou
  ru: Код для старого адреса / Код для нового адреса | Код текущего владельца / Код нового владельца | Код старого телефона / Код нового телефона | Код старого устройства / Код нового устройства
  sk: Kód pre starú adresu / Kód pre novú adresu | Kód súčasného majiteľa / Kód nového majiteľa | Kód starého telefónu / Kód nového telefónu | Kód starého zariadenia / Kód nového zariadenia
  sl: Koda za stari naslov / Koda za novi naslov | Koda sedanjega lastnika / Koda novega lastnika | Koda starega telefona / Koda novega telefona | Koda stare naprave / Koda nove naprave
  sq: Kodi për adresën e vjetër / Kodi për adresën e re | Kodi i pronarit aktual / Kodi i pronarit të ri | Kodi i telefonit të vjetër / Kodi i telefonit të ri | Kodi i pajisjes së vjetër / Kodi i pajisjes së re
  sr: Код за стару адресу / Код за нову адресу | Код садашњег власника / Код новог власника | Kod starog telefona / Kod novog telefona | Код старог уређаја / Код новог уређаја
  sv: Kod för den gamla adressen / Kod för den nya adressen | Kod för nuvarande innehavare / Kod för ny innehavare | Kod till den gamla telefonen / Kod till den nya telefonen | Kod för den gamla enheten / Kod för den nya enheten
  sw: Msimbo wa anwani ya zamani / Msimbo wa anwani mpya | Msimbo wa mmiliki wa sasa / Msimbo wa mmiliki mpya | Msimbo wa simu ya zamani / Msimbo wa simu mpya | Msimbo wa kifaa cha zamani / Msimbo wa kifaa kipya
  ta: பழைய முகவரிக்கான குறியீடு / புதிய முகவரிக்கான குறியீடு | தற்போதைய உரிமையாளர் குறியீடு / புதிய உரிமையாளர் குறியீடு | பழைய தொலைபேசி குறியீடு / புதிய தொலைபேசி குறியீடு | பழைய சாதனக் குறியீடு / புதிய சாதனக் குறியீடு
  th: รหัสสำหรับอีเมลเก่า / รหัสสำหรับอีเมลใหม่ | รหัสของเจ้าของปัจจุบัน / รหัสของเจ้าของใหม่ | รหัสของโทรศัพท์เครื่องเก่า / รหัสของโทรศัพท์เครื่องใหม่ | รหัสของอุปกรณ์เก่า / รหัสของอุปกรณ์ใหม่
  tr: Eski adresin kodu / Yeni adresin kodu | Mevcut sahibin kodu / Yeni sahibin kodu | Eski telefon kodu / Yeni telefon kodu | Eski cihaz kodu / Yeni cihaz kodu
  uk: Код для старої адреси / Код для нової адреси | Код поточного власника / Код нового власника | Код старого телефону / Код нового телефону | Код старого пристрою / Код нового пристрою
  uz: Eski manzil kodi / Yangi manzil kodi | Hozirgi egasining kodi / Yangi egasining kodi | Eski telefon kodi / Yangi telefon kodi | Eski qurilma kodi / Yangi qurilma kodi
  vi: Mã cho địa chỉ cũ / Mã cho địa chỉ mới | Mã của chủ sở hữu hiện tại / Mã của chủ sở hữu mới | Mã của điện thoại cũ / Mã của điện thoại mới | Mã của thiết bị cũ / Mã của thiết bị mới
  zh-Hans: 旧邮箱代码 / 新邮箱代码 | 原户主验证码 / 新户主验证码 | 旧手机代码 / 新手机代码 | 旧设备代码 / 新设备代码
  zh-Hant: 舊信箱代碼 / 新信箱代碼 | 原持有人驗證碼 / 新持有人驗證碼 | 舊手機代碼 / 新手機代碼 | 舊裝置代碼 / 新裝置代碼`)

/** A body that asks for the digits, or for the code, of its subject. */
export const inSubject = parse(`
  af: Tik die syfers uit die onderwerp in om voort te gaan. | Voer die kode uit die onderwerpreël in.
  ar: أدخل الأرقام الموجودة في الموضوع للمتابعة. | أدخل الرمز الموجود في عنوان الرسالة.
  az: Davam etmək üçün mövzudakı rəqəmləri daxil edin. | Mövzu sətrindəki kodu daxil edin.
  be: Увядзіце лічбы з тэмы ліста, каб працягнуць. | Увядзіце код з тэмы ліста.
  bg: Въведете цифрите от темата, за да продължите. | Въведете кода от темата на писмото.
  bn: চালিয়ে যেতে বিষয়ের সংখ্যাগুলি লিখুন। | বিষয় লাইনের কোডটি লিখুন।
  ca: Introduïu els dígits de l’assumpte per continuar. | Introduïu el codi de l’assumpte.
  cs: Pro pokračování zadejte číslice z předmětu. | Zadejte kód z předmětu zprávy.
  cy: Rhowch y digidau o’r llinell bwnc i barhau. | Rhowch y cod o’r llinell bwnc.
  da: Indtast cifrene fra emnelinjen for at fortsætte. | Indtast koden fra emnet.
  de: Gib die Ziffern aus dem Betreff ein, um fortzufahren. | Geben Sie den Code aus der Betreffzeile ein.
  el: Εισαγάγετε τα ψηφία του θέματος για να συνεχίσετε. | Πληκτρολογήστε τον κωδικό από το θέμα του μηνύματος.
  en: Enter the digits from the subject line to continue. | Enter the code from the subject line. | Your code is in the subject of this email. | Type the 6 digits shown in the subject.
  es: Introduce los dígitos del asunto para continuar. | Introduce el código del asunto de este correo.
  et: Jätkamiseks sisestage numbrid teemarealt. | Sisestage kood teemarealt.
  eu: Idatzi gaiaren lerroko digituak jarraitzeko. | Idatzi gaiaren lerroko kodea.
  fa: برای ادامه، ارقام موضوع ایمیل را وارد کنید. | کد موجود در موضوع را وارد کنید.
  fi: Syötä otsikon numerot jatkaaksesi. | Kirjoita aiherivillä oleva koodi.
  fr: Saisissez les chiffres de l’objet pour continuer. | Saisissez le code indiqué dans l’objet du message.
  ga: Cuir isteach na digití ón líne ábhair. | Cuir isteach an cód ón líne ábhair.
  gl: Introduce os díxitos do asunto para continuar. | Introduce o código do asunto.
  he: הזינו את הספרות שבנושא ההודעה כדי להמשיך. | הזינו את הקוד שבשורת הנושא.
  hi: जारी रखने के लिए विषय के अंक दर्ज करें। | विषय पंक्ति का कोड दर्ज करें।
  hr: Unesite znamenke iz predmeta za nastavak. | Unesite kod iz predmeta poruke.
  hu: A folytatáshoz írja be a tárgyban szereplő számjegyeket. | Írja be a tárgysorban lévő kódot.
  hy: Շարունակելու համար մուտքագրեք թեմայի թվանշանները։ | Մուտքագրեք թեմայի կոդը։
  id: Masukkan angka dari subjek untuk melanjutkan. | Masukkan kode dari baris subjek.
  is: Sláðu inn tölurnar í efnislínunni til að halda áfram. | Sláðu inn kóðann úr efnislínunni.
  it: Inserisci le cifre dell’oggetto per continuare. | Inserisci il codice che trovi nell’oggetto.
  ja: 件名の数字を入力して続行してください。 | 件名に記載のコードを入力してください。
  ka: გასაგრძელებლად შეიყვანეთ თემის ციფრები. | შეიყვანეთ კოდი თემის ველიდან.
  kk: Жалғастыру үшін тақырыптағы сандарды енгізіңіз. | Тақырыптағы кодты енгізіңіз.
  ko: 계속하려면 제목에 있는 숫자를 입력하세요. | 제목의 코드를 입력하세요.
  lt: Norėdami tęsti, įveskite skaitmenis iš temos. | Įveskite kodą iš temos eilutės.
  lv: Lai turpinātu, ievadiet ciparus no temata. | Ievadiet kodu no temata rindas.
  mk: Внесете ги цифрите од насловот за да продолжите. | Внесете го кодот од насловот.
  mn: Үргэлжлүүлэхийн тулд гарчиг дахь цифрийг оруулна уу. | Гарчиг дахь кодыг оруулна уу.
  ms: Masukkan digit dalam subjek untuk meneruskan. | Masukkan kod daripada baris subjek.
  nb: Skriv inn sifrene fra emnefeltet for å fortsette. | Skriv inn koden i emnet.
  nl: Voer de cijfers uit de onderwerpregel in om door te gaan. | Voer de code uit het onderwerp in.
  pl: Wpisz cyfry z tematu, aby kontynuować. | Wpisz kod z tematu wiadomości.
  pt: Digite os dígitos do assunto para continuar. | Introduza o código que está no assunto.
  ro: Introduceți cifrele din subiect pentru a continua. | Introduceți codul din subiectul mesajului.
  ru: Введите цифры из темы письма, чтобы продолжить. | Введите код из темы письма.
  sk: Na pokračovanie zadajte číslice z predmetu. | Zadajte kód z predmetu správy.
  sl: Za nadaljevanje vnesite števke iz zadeve. | Vnesite kodo iz zadeve sporočila.
  sq: Shkruani shifrat nga subjekti për të vazhduar. | Shkruani kodin nga subjekti.
  sr: Унесите цифре из наслова да бисте наставили. | Unesite kod iz naslova poruke.
  sv: Ange siffrorna i ämnesraden för att fortsätta. | Skriv in koden från ämnet.
  sw: Weka tarakimu zilizo kwenye kichwa ili kuendelea. | Weka msimbo ulio kwenye kichwa cha barua pepe.
  ta: தொடர, பொருளில் உள்ள இலக்கங்களை உள்ளிடவும். | பொருள் வரியில் உள்ள குறியீட்டை உள்ளிடவும்.
  te: కొనసాగడానికి విషయంలోని అంకెలను నమోదు చేయండి. | విషయ పంక్తిలోని కోడ్ నమోదు చేయండి.
  th: กรอกตัวเลขในหัวเรื่องเพื่อดำเนินการต่อ | กรอกรหัสในหัวเรื่องอีเมล
  tl: Ilagay ang mga digit mula sa paksa para magpatuloy. | Ilagay ang code mula sa paksa.
  tr: Devam etmek için konudaki rakamları girin. | Konu satırındaki kodu girin.
  uk: Введіть цифри з теми листа, щоб продовжити. | Введіть код із теми листа.
  ur: جاری رکھنے کے لیے موضوع کے ہندسے درج کریں۔ | موضوع میں دیا گیا کوڈ درج کریں۔
  uz: Davom etish uchun mavzudagi raqamlarni kiriting. | Mavzudagi kodni kiriting.
  vi: Nhập các chữ số trong tiêu đề để tiếp tục. | Nhập mã trong dòng tiêu đề.
  zh-Hans: 请输入主题中的数字以继续。 | 请输入邮件主题中的代码。
  zh-Hant: 請輸入主旨中的數字以繼續。 | 請輸入郵件主旨中的代碼。`)
