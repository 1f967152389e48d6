import { wordPattern } from './word-pattern.ts'
/** Words around one-time codes, in lower case. In a list `.` stands for one character, such as a space or a hyphen. */

/** Alternatives of a list, the longest first. */
export const stems = (list: string): string => [...new Set(list.trim().split(/\s+/))].sort((a, b) => b.length - a.length).join('|')

/** Sorts the words of a list: first those of letters alone, whose common beginnings V8 compares once, which takes half the time. */
export function plainFirst(list: string): string[] {
  const words = list.trim().split(/\s+/)
  const isPlain = (word: string) => !/[^\p{L}\p{M}]/u.test(word)
  return [...words.filter(isPlain), ...words.filter((word) => !isPlain(word))]
}

/** The same in the order of `plainFirst`: only where a shorter alternative may match before a longer one. */
export const anyOf = (list: string): string => plainFirst([...new Set(list.trim().split(/\s+/))].sort((a, b) => b.length - a.length).join(' ')).join('|')

/** Words for a code. These also match at the end of a compound (Bestätigungscode, engångskod) and with a short ending (kodunuz, codes). */
const compounded = `
  codes? codice codici código códigos codigo codi codis codex kode(?:n|r|rne|ne|ve|t|arekin)? kodeak? koden kodea
  kod(?:ja|ai|ų|ams|ov(?:i|e|a|ima)|lar(?:ı|ını|ınız|ınızı)?|iem|in(?<=(?:me|ni|ar)\\skodin)|us(?<=(?:šos|šiuos|imo|anas|bas|ves|nius)\\skodus)|u|un|unu|unuz|unuzu|unuzdur|unuzla|uyla|la|em|om|owi|zie|y|ą|i|an|as|s|o)? kodingiz kodyňyz koduňyz codul codului coduri(?:le|lor)?
  kód(?:u|em|om|y|ja|jai|jait|okat|ját|jával|dal|ot|od|odat|oddal|ok)? koodi(?:a|n|lla|llasi|ksi|si|nsa|ga|t|d|de)? koodii(?:n|si)? kood kôd
  kóði kóðinn kóða(?:nn|num|r|rnir)? kóðunum cód kòd passcode passphrase tunnusluku(?:a|si)? tunnusluvu(?:n|lla)`

/** The same of languages without lists of the kinds of codes: their codes count as one-time codes, whatever their label. */
const compoundedOfOthers = 'kodiċi códigu còdi còdighe chód chòd còd khodi khowudi kodhi kotan (?<=ar)kota koade koodu kóòdù kao(?:dy|dinao)'

/** Words that stand alone. */
const plainWhole = 'cod côd mã kode koda kodes misimbo kodini kodni kodigo msimbo dy.god'
const whole = `
  ${plainWhole} khoutu waehere koodhka(?:ag[au])?
  (?:security|login|sign.?in|verification|authentication|one.time|temporary.access).(?:key|number|phrase) access.key ma.(?:xac.(?:nhan|thuc|minh)|otp|bao.mat|dang.nhap) (?:tu|su).nip otp totp pin (?:mobile|photo|push|chip|sms|[eim])?tan tac mpin activation.key secret.number token uthibitish\\p{L}{1,5} namba(?:ri)?.(?:yako.)?ya.siri
  tabbatarwa\\p{L}{0,3} lambar.(?:sirri(?:nku)?|tsaro\\p{L}*|shiga|tantancewa|samun.dama) lambarka.xaqiiji\\p{L}{0,8}
  num[eé]ro.de.(?:vérification|verification|sécurité) n[úu]mero.de.(?:verificaci[óo]n|verificação|seguridad|segurança) numero.di.(?:verifica|sicurezza)
  aktivierungs.id verifizierungsnummer sicherheitsnummer sicherheitsschlüssel zugangsschlüssel sicherheitszahl clé.de.(?:sécurité|connexion|vérification) chiave.di.(?:sicurezza|accesso) chave.de.(?:segurança|acesso)
  clave.(?:dinámica|temporal|única|de.(?:verificación|acceso|seguridad|confirmación|ingreso|operación|operaciones|firma|un.solo.uso))
  senha.(?:temporária|única|de.(?:verificação|acesso|segurança|uso.único))
  verificatienummer verifieringsnummer vahvistusnumero(?:si)? vahvistustunnus näppäile.(?:\\p{L}{3,20}.)?tunnus kertakäyttö(?:inen.)?tunnu(?:s|ksesi) ověřovací.(?:číslo|klíč)
  overovac(?:ie.číslo|í.kľúč) (?:klucz|numer).weryfikacyjny doğrulama.numara(?:sı|nız) проверочный.номер αριθμός.επαλήθευσης מספר.אימות aktivierungsschlüssel otac`

/** The words for a code in scripts other than Latin. */
const codesOfScripts = `
  код рамз κωδικός κωδικος κωδικό(?!ς) κωδικ(?:ο(?!ς)|οί|ών|ούς) קוד קאָד رمو?ز كود کد کوڈ کۆد کوډ ڪوڊ կոդ ծածկագիր კოდ कोड কোড ক['’ʼ]ড รหัส(?!ผ่าน(?:ของคุณ)?(?:ได้)?(?:ถูก|เปลี่ยน))
  குறியீடு குறியீட்ட కోడ్ കോഡ് ಕೋಡ್ કોડ ਕੋਡ କୋଡ කේත កូដ ລະຫັດ ཨང་རྟགས ကုဒ် ኮ(?:ድ(?:ኩም|ክን|ካ|ኪ)?|ዶች|ዱ) ކޯޑ 代[码碼] コード 코드`

/** Those that say that it is for one use, for one person or for a thing to pick up. */
const kindsOfScripts = `
  (?:pin|otp|sms)[码碼] пин пін الرقم.السري رقم.التحقق ओटीपी ওটিপি ஓடிபி ఓటీపీ ઓટીપી ਓਟੀਪੀ ಒಟಿಪಿ ഒടിപി او.ٹی.پی
  (?:验证|驗證|校[验驗]|动态|動態|认证|認證|[确確][认認]|安全|激活|啟用|[注註][册冊]|授[权權]|[识識][别別]|随机|登[录錄入]|取[件货貨餐]|提[货貨取]|配[对對]|[开開]通|核[验驗]|存取)[码碼] 保安[編编]?[码碼]
  动态密码 口令 取貨編號 (?:認証|確認|暗証|セキュリティ|ワンタイム)(?:番号|キー|ナンバー) 인증.?번호 인증코드 확인.?번호 보안.?번호 승인.?번호
  ワンタイムパスワード 認証用の?数字 認証用?pin トークン ワンタイムパス 驗證數字 验证数字`

/** Adds Latin words of five letters or more without their marks, as those write who have no such keys: "contraseña" and "contrasena". */
export const withPlainLetters = (list: string): string => list.trim().split(/\s+/).flatMap((word) => word.length < 5 ? [word] : [word, word.replace(
  /[\u00c0-\u024f\u1e00-\u1eff]/g, (letter) => plainLetters[letter] ?? letter.normalize('NFD').charAt(0))]).join(' ')
const plainLetters: Record<string, string> = { ı: 'i', ł: 'l', đ: 'd', ø: 'o' }

/** A word for a code, in a short piece of text in lower case. Searched from `lastIndex` on: matchAll makes a copy each time. */
export const codeWord = wordPattern(
  String.raw`(?:${anyOf(`${compounded} ${compoundedOfOthers}`)}|(?<!\p{L})(?:${anyOf(whole)}))(?!\p{Script=Latin}|\d)|${anyOf(codesOfScripts)}|${anyOf(kindsOfScripts)}`, 'gu')

/** A word that only says "code", of which the words beside it tell the kind. */
export const plainCodeWord = wordPattern(String.raw`^(?!pass)(?:${anyOf(compounded)}|${anyOf(plainWhole)}|${anyOf(codesOfScripts)})$`, 'u')

/** A word for a password: the number or word that it leads to is a code, others in its sentence are not. */
export const passwordWord = wordPattern(stems(withPlainLetters(`
  (?:otc|pw|captcha|2fa|sign.?in)(?=[:：])(?<!\\p{L}(?:otc|pw|captcha|2fa|sign.?in)) password passwords? passwort kennwort passord lösenord lösenordet adgangskode mot.de.passe contraseña contrasenya contrasinal
  clave senha palavra-passe parola parolă parole parol(?![aăe])(?<!\\p{L}.{5}) parool wachtwoord hasło hasło.sms hasło.do.logowania hasłem heslo hesl[eo]m lozinka lozinkom geslom паролем jelszóval geslo jelszó jelszava salasana şifre şifresi şifreniz şifrə şifrəniz sandi kata.laluan құпия.?сөз нууц.үг პაროლი գաղտնաբառ(?:ն|ը|ի)? nenosiri pasvorto pasfhocal cyfrinair wagwoord
  slaptažodis pasahitza lykilorð fjalëkalimi mật.khẩu пароль пароля парола лозинка סיסמה كلمة.(?:ال)?مرور كلمة.(?:ال)?سر گذرواژه கடவுச்சொல் رمزعبور پاس.ورڈ पासवर्ड
  পাসওয়ার্ড รหัสผ่าน パスワード 密码 密碼 비밀번호`)), 'gu')

/** Words with which a password is one that is sent by mail. */
export const oneTimeWord = new RegExp(anyOf(withPlainLetters(`
  one.?time temporary hasło.sms einmal temporär engång engang usage.unique temporaire provisoire provvisori provisori provisional provisóri birdəfəlik müvəqqəti un.solo.uso temporal uso.único temporári temporar[ăa] descartável monouso
  temporane eenmalig tijdelijk jednoraz jednoráz dočasn egyszeri egyszer.használatos бір.реттік нэг.удаа ერთჯერად միանգամյա մեկանգամյա ஒருமுறை një.herë tạm.thời sementara sekali.guna mara.moja unufoja dun.só.uso aonuaire untro kertakäyttö tek.kullanım geçici однораз временн тимчасов ワンタイム 一次性 一次 仮
  일회용 임시 một.lần sekali.pakai unică unic[ăe].de d.un.sol.ús de.un.sol.us unică.folosință חד.?פעמי זמני لمرة.واحدة مؤقت المؤقت یک.?بار.مصرف موقت एक.बार अस्थायी
  ใช้ครั้งเดียว ชั่วคราว tymczasow jednokratn ideiglenes väliaikai midlertidig tillfällig engangs engångs provizor привремен временна еднократн ühekordne vienreiz vienkartin`)), 'u')

/** Words with which a password is not in the mail: it was forgotten, or can be changed. */
export const changeWord = new RegExp(anyOf(withPlainLetters(`
  forgot reset change update lost recover restore vergessen zurücksetz ändern oublié réinitialis modifi olvid restablec cambiar esquec
  redefin alterar dimentic reimpost cambia vergeten herstel wijzig zapomn zmie zmień resetuj glömt återställ ändra glemt nulstil
  tilbakestill unohd vaihda unut sıfırla değiştir забы сброс измен восстанов 重置 忘记 忘記 修改 重設 忘れ 再設定 変更 재설정 분실 변경`)), 'u')

export const linkingWords = stems(`
  is (?<=['’])s are be ist lautet lauten sind est es són és è é são sono jest je są su jsou är er on este sunt është eshte ni na ay ialah adalah yaiku estas hè ass ndi mao\\sang
  là la to\\sje da ass yw tá huwa da dia waa ve ir yra он это є це је е է हैं है ہے είναι هو هي היא הוא は が 为 是 為 : ： 는 은 이 가`)

/** Words for "is" that are hardly another word. */
export const wordsForIs = 'is|ist|lautet|est|es|è|é|är|er|jest|je|је|е|adalah|είναι'

/** "El código es el 482913". */
const articles = 'o|a|el|la|le|il|der|die|das|the'
export const articleAtEnd = wordPattern(String.raw`(?<!\p{L})(?:${articles}|den|dem)\s+$`, 'u')

/** The text between a label and its number: punctuation, and a word such as "is". */
export const link = wordPattern(String.raw`^[^\p{L}\p{N}]{0,16}(?:(?:${linkingWords})(?:\s(?:${articles}))?[^\p{L}\p{N}]{0,16})?$`, 'u')
/** The same after a number: "482913 is your …". */
export const linkAfter = wordPattern(String.raw`^[^\p{L}\p{N}]{0,8}(?:${linkingWords})(?!\p{Script=Latin})`, 'u')

/** Words for signing in: a bare number near them is a code, also without a word for it. */
export const signInWord = new RegExp(anyOf(withPlainLetters(`
  verif sign.in signing.in signed.in sign.up signing.up signed.up signup signin log.in login logging.in authenticat two.factor two.step
  2fa one.time confirm(?:ing)?.(?:your|the).(?:e.?mail|account|identity|sign) confirm.(?:it.is|it.s|that.it) reset.(?:your|the).password
  anmeld einlogg registrier verifizier bestätig connexion connecter vérifi inscri iniciar.sesión inicio.de.sesión verifica acced accesso
  entrar autentic inloggen aanmeld verifieer bevestig zalogowa logowani rejestra weryfik potwierdz přihláš ověř registrac logga.in verifiera
  bekräfta log.ind logg.inn bekræft bekreft kirjaudu vahvista giriş doğrula bejelentkez autentific conecta вход войти войд подтвержд регистрац
  увійти вхід підтверд потвърд влез σύνδεση συνδεθ επαλήθ επιβεβ iniciar.la.sessió verificar sisselog kinnita prijav potvr 登录 登入 登錄 验证 驗證
  ログイン 認証 ログオン 로그인 인증 تحقق تسجيل.الدخول التسجيل התחבר אימות đăng.nhập xác.minh xác.nhận เข้าสู่ระบบ ยืนยัน masuk verifikasi लॉग सत्याप təsdiq tasdiq`)), 'u')

/** Words for a password that is lost, or for an account that is to be had again. */
const recovery = new RegExp(anyOf(withPlainLetters(`
  password (?:recover|reset|restore|unlock|regain).{0,30}account passwort kennwort zurücksetz wiederherstell entsperr passe réinitialis récupér contraseña restablec recuper palavra-passe senha redefin reimpost ripristin wachtwoord herstel
  hasło hasła odzysk heslo hesla obnov lösenord återställ adgangskode nulstil passord tilbakestill gjenopprett salasana palaut şifre parola sıfırla jelszó jelszav visszaállít lozink geslo parole парол восстанов сброс відновл скинут възстанов
  κωδικ επαναφ ανάκτ סיסמ איפוס שחזור مرور استعادة استرداد گذرواژه بازیابی पासवर्ड পাসওয়ার্ড รหัสผ่าน กู้คืน mật.khẩu khôi.phục sandi pemulihan laluan パスワード 再設定 復旧 密码 密碼 重置 重設 비밀번호 재설정 slaptažod salasõna parool lykilorð contrasenya`)), 'u')
/** Whether the words around a number say that it is for signing in, or for getting an account back. */
export const isForAccount = (text: string): boolean => signInWord.test(text) || recovery.test(text)

/** The same in further languages, in the subject of a mail whose number has a line of its own. */
export const signInSubject = wordPattern(`${signInWord.source}|${anyOf(`
  potwierdź megerősít erősíts\\p{L}{1,2}.meg belép staðfest innskrán patvirtin prisijung apstiprin pieteik sisene identifitseeri потврд пријав најав растау растаңыз баталгаажуул нэвтр
  հաստատ մուտքի დაადასტურ დადასტურ შესვლ konfirmo hyrje berretsi egiaztatu saioa ផ្ទៀងផ្ទាត់ ຢືນຢັນ အတည်ပြု አረጋግጥ ያረጋግጡ ማረጋገጫ যাচাই உறுதிப்படுத்த உள்நுழை ధృవీకరి నిర్ధారి تأكيد تأیید تایید تصدیق ورود לאמת כניסה thibitish sahkan pengesahan kumpirma`)}`, 'u')

/** Verbs that ask to type what follows: "Enter 482913 in the app", "Geben Sie 482913 ein". */
export const enterWords = stems(`
  enter type type.in input submit insert provide key.in use copy paste geben.sie gib tragen.sie trage tippen.sie tippe verwenden.sie verwende nutzen.sie nutze
  benutzen.sie benutze übertragen.sie übertrage saisissez saisir saisis entrez tapez tape utilisez utilise introduisez introduce introduzca ingresa ingrese escribe
  escriba usa use utiliza utilice teclea teclee digita digite insira introduza utilize informe escreva inserisci inserite inserire immetti
  utilizza scrivi digiti inserisca voer voert typ gebruik vul toets wpisz podaj użyj wprowadź zadejte zadej použijte vložte zadajte použite
  ange skriv använd mata.in indtast brug tast tast.inn bruk syötä anna käytä kirjoita näppäile unesite unesi upišite koristite vnesite
  vnesi uporabite introduceți introdu folosiți folosește írja.be.a írd.be.a adja.meg.a használja.a εισαγάγετε εισάγετε πληκτρολογήστε
  χρησιμοποιήστε introduïu introdueix escriviu utilitzeu sisestage sisesta įveskite įvesk ievadiet введите укажите используйте наберите
  введіть вкажіть використайте въведете използвайте внесете унесите أدخل أدخلي استخدم اكتب הזן הזינו הקלד הקלידו הקש הקישו 输入 輸入 填写 使用 nhập ป้อน กรอก ใส่
  masukkan ketik ketikkan gunakan weka ingiza andika tumia használd használja írd add.meg írja.be írd.be adja.meg üsse.be gépelje.be nhập.số vul.in skriv.in skriv.inn fyll.i oppgi angi angiv napište
  utilizați tastați scrie въведи наберете введи використовуйте наберіть унеси користите укуцајте utipkajte vpišite vtipkajte βάλτε يرجى.إدخال الرجاء.إدخال יש.להזין יש.להקליד kasuta izmantojiet ievadi naudokite
  saisir entrer taper utiliser introduire renseigner composer introduir escriure introducir ingresar escribir usar teclear utilizar digitar introduzir inserir informar escrever digitare immettere scrivere utilizzare usare indtaste skrive angive bruge taste skrive.inn taste.inn bruke
  skriva.in mata.in knappa.in använda fylla.i wpisać podać wprowadzić użyć ввести указать использовать набрать вказати використати набрати zadat vložit použít opsat zadať vložiť použiť unijeti uneti upisati koristiti vnesti vpisati uporabiti syöttää kirjoittaa käyttää antaa
  (?:meg.kell.adnia?|be.kell.írnia?|meg.kell.adnod|be.kell.írnod)(?:.az?)? sisestama sisestada įvesti jāievada εισαγάγετε πληκτρολογήσετε χρησιμοποιήσετε εισαγάγεις πληκτρολογήσεις πληκτρολόγησε introduceți.numărul memasukkan mengetik
  sláðu.inn notaðu escriu utilitza შეიყვანეთ გამოიყენეთ մուտքագրեք ilagay.ang gamitin.ang shkruani vendosni përdorni користете внеси sử.dụng dùng điền taip napiš wprowadzić įrašykite`)
const fillWords = stems(`
  \\d.digit \\d.?stellige following folgende the this these number numbers digits pin sie du die den das diese zahl ziffern ziffernfolge nummer le les la l el los las o os a as il lo i gli al de het
  numéro(?:.suivant)? número numero numer číslo nombre chiffres dígitos cifre cijfers siffrorna число номер цифры الرقم את.המספר ตัวเลข หมายเลข`)
export const enterBefore = wordPattern(
  String.raw`(?:^|[^\p{L}])(?:${enterWords}|(?:sign|log) in with|(?:melde dich|melden sie sich|anmeldung) mit)[ \t:]{0,2}(?:(?:${fillWords})[ \t:]{1,2}){0,3}(?:(?:in|into|on) (?:the|our|your) \p{L}{2,12}:)?[^\p{L}\p{N}\n]{0,4}$`
  + String.raw`|mit de[rn] (?:zahl|ziffern) $|(?:输入|輸入|填写|填寫|[请請]使用)[^\p{L}\p{N}\n]{0,4}$`, 'u')

/** Verbs that follow the number: "482913 girin", "482913を入力". */
export const verbsBehind = stems(`
  gir(?:in|iniz|meniz|melisiniz)?(?!\\p{L}) yaz(?:ın|manız)?(?!\\p{L}) kullan(?:ın|manız)?(?!\\p{L}) を入力 と入力 をご入力 を.{1,12}に入力 を使用 입력 를.입력 을.입력 사용 दर्ज.करें डालें का.उपयोग را.وارد درج.کریں eingeben eintragen eintippen invoeren invullen intoetsen intypen opgeven gebruiken girerek yazarak girip beírásával megadásával beírni megadni дарж.оруул 입력해 दर्ज.करना लिखें ভরুন 을.사용 를.사용 を使って استعمال.کریں লিখুন ব্যবহার.করুন енгізіңіз kiriting daxil.edin ஐ.உள்ளிடவும்`)

/** A request to enter a number in the line above it. */
export const enterAbove = wordPattern(String.raw`(?:(?<!\p{L})(?:${enterWords})(?!\p{L})[^\n]{0,140}|(?:${verbsBehind}|输入|輸入|填写)[^\n]{0,20})\s*$`, 'u')

/** Words for digits and characters. */
export const digitWords = String.raw`(?:(?<!\p{L})(?:${stems(`
  digits? números numeri dãy.số con.số (?:diese|folgende)[rn]?.(?:zahl|nummer) this.number ce.(?:nombre|numéro) este.número questo.numero dit.(?:nummer|getal) это.число (?<=the.)following(?=.(?:to|in|on|at)\\s) ziffern(?:folge)? \\d.?stellig\\p{L}* chiffres cijfers dígitos digitos cifre cifrele cifara cifer cyfry cyfr
  číslic\\p{L}* číslice siffror siffrorna siffer sifrene cifrene ciffer cifre numeroa numerot számjegy\\p{L}* rakamı rakamları ψηφία цифры цифр цифри digit
  الأرقام أرقام הספרות ספרות angka chữ.số tölurnar skaitmen\\p{L}* cipar\\p{L}* numbrit shifra\\p{L}* zifra\\p{L}* цифре թվանշան\\p{L}* ციფრ\\p{L}* сан(?:ы|ды|дарды) оронг? رقم ہندسے dígits xifres znamenk\\p{L}* števk\\p{L}* številke tarakimu numero numbrit sifre hanesi digitu\\p{L}* tölustaf\\p{L}* številke
  characters zeichen(?:folge)? caractères caracteres caràcters caratteri tekens znaki znaków znaky tecken(?:na)? tegn(?:ene)? merkit karakter\\p{L}* caracterele znakove znake
  символы символов символи символів знаци χαρακτήρες الأحرف אותיות התווים ký.tự`)})(?!\p{L})|桁|位数字|位數字|数字|數字|字符|字元|文字|자리|숫자|문자|ตัวเลข|ตัวอักษร|अंक|अक्षर|সংখ্যা|இலக்க|అంకె|លេខ|ຕົວເລກ|ဂဏန်း|አሃዞች)`
const digitsAsked = wordPattern(String.raw`${digitWords}[^\n:：]{0,80}(?:[:：]|\n)\s{0,8}$`, 'u')
/** Verbs beside a word for digits alone. */
export const enterDigits = stems(`
  (?<!\\p{L})tik(?!\\p{L}) rhowch cuir.isteach увядзіце przepisz opište opíšte sláðu shkruaj idatzi i.type បញ្ចូល វាយ ປ້ອນ скопируйте உள்ளிட టైప్.చేయండి నమోదు.చేయండి ထည့်ပါ ያስገቡ оруулах оруулна.уу لکھیں بنویسید وارد.کنید`)
export const enterAnywhere = wordPattern(String.raw`(?<!\p{L})(?:${enterWords})(?!\p{L})|${enterDigits}|ป้อน|กรอก|ใส่|输入|輸入|填写|${verbsBehind}|に入力`, 'u')
/** "the last 4 digits of your card". */
export const lastDigits = new RegExp(anyOf(`
  viimas pēdēj paskutin zadnj síðust azken fundit huli mwisho соңғы сүүлийн последњ posljedn վերջին ბოლო የመጨረሻ अंतिम अन्तिम आखिरी শেষ கடைசி చివరి ចុងក្រោយ ສຸດທ້າຍ နောက်ဆုံး akhir
  last final letzte derniers últim ultim laatste ostatni последн poslední posledn sista siste sidste viimei son.(?:\\d|dört|üç) utols τελευτ останні آخر האחרונ 末尾 下\\d 后\\d 後\\d 끝 마지막 ท้าย cuối terakhir`), 'u')

const endOfLabel = /[:：\n]\s{0,8}$/
/** Whether a text before a number asks to enter digits or characters, "Vul deze 6 cijfers in:", which are not the end of another number. */
export const asksForDigits = (text: string): boolean => endOfLabel.test(text.slice(-9)) && digitsAsked.test(text)
  && enterAnywhere.test(text) && !lastDigits.test(text)

/** The same at the start of the line below it. */
export const enterBelow = wordPattern(String.raw`^[^\p{L}\p{N}]*(?:please )?(?:${enterWords})(?!\p{L})`, 'u')

export const enterAfter = wordPattern(String.raw`^[^\p{L}\p{N}\n]{0,4}(?:(?:sayısını|numarasını|rakamlarını|számot|számsort|को)\s)?(?:${verbsBehind}|ein(?=[.!,]|\s*$))`, 'u')

/** The words around a number, which "*" stands for: "With 482913 you can log in". */
export const enterWith = wordPattern(String.raw`(?<!\p{L})(?:with|mit|avec|con|com|met|med) \* (?:you can|kannst du|können sie|(?:vous|tu) (?:pouvez|peux)|puede|pode|você pode|puoi|può|kun je|kunt u|kan du)`, 'u')

/** "482913 – use it to log in". */
export const enterItBelow = wordPattern(String.raw`^[^\p{L}\p{N}]*(?:please )?(?:${enterWords})\s`
  + String.raw`(?:it|this|these|them|diese\p{L}?|sie|ihn|la|lo|le|los|este|esto|его|это)(?!\p{L})`, 'u')

/** "Here it is: ", below a subject that names the code. */
const presentation = wordPattern(String.raw`(?<!\p{L})(?:${stems(`
  here.(?:it.is|you.(?:go|are)|is.your.one) use.this(?:.one)?.instead hier.(?:ist.(?:er|sie|es)|is.(?:hij|ie|ze)) bitte(?:.(?:schön|sehr))? (?:le.|la.)?voici aquí.(?:está|lo.tienes) aqui.está ecco(?:lo|la) proszę
  oto.on här.är.den her.er.den tässä.se.on tady.je zde.je tu.je íme işte iată-l вот.он ось.він`)})(?!\p{L})[ \t]?[:：–—-]?[^\p{L}\p{N}]{0,8}$|どうぞ[:：\s]{0,4}$`, 'u')

/** The same with a purpose: "Use this one to verify your account: ". */
const presentationToColon = wordPattern(String.raw`(?<!\p{L})(?:use|utilise[rz]?|usa|utiliza|utilizza|nutzen sie|nutze|verwenden sie|verwende|gebruik)`
  + String.raw` (?:this(?: one)?|celui-ci|este|questo|diesen|deze)(?: [^\n:.]{1,60})?\s?[:：][^\p{L}\p{N}]{0,8}$`, 'u')

export const presents = (text: string): boolean => presentation.test(text) || (/[:：]\s*$/.test(text) && presentationToColon.test(text))

/** "This", with which a word for a code is the number above. */
export const demonstrative = wordPattern(String.raw`(?<!\p{L})(?:${stems(`
  this these diese[nmrs]? ce cette este esta esse essa questo questa deze dit ten tego tym tento tohoto tímto den.här denna denne dette detta
  tämä tämän tällä tätä bu acest acestui acesta ez ezt этот этого этим цей цим тази този ovaj αυτόν ini này cet ces`)})(?!\p{L})`
  + `|${stems('此 该 這 这 本 この その 이.(?=코드|인증|번호) هذا זה นี้')}`, 'u')

/** Words of a sentence about a code that is to be kept secret, comes in another way, or that the reader has already. */
export const codeElsewhere = wordPattern(String.raw`(?<!\p{L})(?:${stems(`
  pin tan never by per via par por sms post separately soon nie niemals jamais nunca mai nooit nigdy nikdy aldrig aldri никогда никому nikomu niciodată soha asla ніколи
  will.(?:be|get|send|receive|never|not|follow) not.(?:ask|share)`)})(?!\p{L})`, 'u')

/** "If you did not request a code". */
export const requestWord = new RegExp(anyOf(`request angeforder demandé solicit pedi richiest aangevraagd żądał zażąda запрашива запросил 要求 请求 申请 リクエスト 요청`), 'u')

/** A word for an image that is read by a camera. */
export const scanWord = /(?<!\p{L})(?:scan|escan|skan|scann|сканир|skenuj)|扫|掃|スキャン|読み取/u

/** A word at the beginning of a line that is no label of a number. */
export const greeting = /^(?:hello|hi|hey|dear|welcome|hallo|guten|bonjour|hola|ciao|olá|hej|привет|здравствуйте|witaj|cześć)(?!\p{L})/u

/** A word with which a code that ends with "#" is that of a lock. */
export const doorWord = /(?<!\p{L})(?:door|gate|entry|entrance|building|lock(?:box)?|keypad|tür\p{L}*|eingang\p{L}*|porte|entrée|puerta|entrada|porta|ingresso|deur|drzwi|двер)/u

/** Words with which a number to enter is none for signing in. */
export const shopWord = wordPattern(String.raw`(?<!\p{L})(?:(?:${stems(`
  checkout discounts? coupons? vouchers? promo zip postal postcode plz amount quantity (?<!browser.)extension survey (?<!in.)orders? off save gift points characters
  words miles descuento desconto réduction sconto korting`)})(?!\p{L}|.(?:desk|bet))|${stems('rabat gutschein скидк')})`, 'u')

/** A code for signing in, by name, or the purpose of one, in a sentence that names a shop, too. */
export const verificationCode = wordPattern([
  String.raw`(?:verification|security|log-?in|sign-?in|one-time|authentication|activation|confirmation)[ -](?:code|pin|password|passcode)(?!\p{L})`,
  String.raw`(?:code|pin|passcode|password|código|codice)[^\p{L}]{1,3}(?:ein, um sich (?:anzumelden|einzuloggen)|pour (?:vous|te) connecter|om in te loggen`,
  String.raw`to (?:sign in|log in|verify|confirm|authenticate)|para (?:iniciar sesión|acceder|entrar|verificar)|per (?:accedere|verificare))(?!\p{L})`,
  String.raw`to (?:confirm|verify) your [^\n.]{1,40}(?:enter|use) (?:the|this) code(?!\p{L})|verify (?:(?:that )?it(?:['’]?s|(?= is you))|your identity)`,
].join('|'), 'u')

/** A word for a code, at the end of a text, that is also that for the code of programs. */
export const programWord = /(?<!\p{L})(?:codes?|código|codigo|códigos|код)$|(?:コード|代码|代碼|코드)$/u

/** Words of a sentence whose code is one-time. */
export const oneTimeContext = wordPattern(`${signInWord.source}|${anyOf(`
  expir valid.(?:for|until) security approv authoriz payment(?!s) transaction оплат passcode one.time do.not.share don.t.share never.share access.code confirmation.code (?:backup|recovery).codes?
  c[oó]d(?:e|igo|ice|i).(?:d[eia'’].?|à.)?(?:con[fv]|valid|a[tc]?tiva|acc?[eè]s|a?uth?enti|desbloq|déverr|sblocc|retr|retir|ritir|reco[gj]|entreg|levanta|livrai|consegna|appair|invit|inscri|r[eé]initi|recuper|usage|un.solo|uso|secret|(?:identif|regist|tempor|unique|[uú]nico)\\p{L}{0,8}(?=[^\\p{L}\\d]*(?:[\\t\\n\\d]|$))) code.à.\\d
  код.(?:за.|для.)?(?:[ау][ўув]?т[эе]нт[иі]ф|[ву]ериф|активир|проверк|перевірк|получени|получаван|отриман|выдач|видач|безпек|бяспек|сигурн|безбед|достъп|удостовер|пацвярд|актыв|пријав|најав|пристап|ўваход)
  gültig läuft.ab sicherheit expira caduca vence seguridad confirmación segurança scade sicurezza valable sécurité действит действу безопасн доступ актива авториз сброс потвърж потврд
  有效 请勿 分钟内 有効 期限 유효`)}`, 'u')

/** Words for a payment that is to be approved, also by a code that stands far from its name. */
export const paymentWord = wordPattern(`(?<!\\p{L})(?:${stems(`
  überweisung zahlung virement paiement transferencia pago pagamento bonifico betaling перевода платежа przelewu płatności`)})(?!\\p{L})`, 'u')

/** Words that say how long a code is valid. */
export const expiryWord = new RegExp(anyOf(`
  expir valid gültig läuft.ab caduca válid vence scade valable действ ważn wygasa platn platí gyldig giltig geldig verloopt voimassa geçerli érvényes valabil
  ισχύ λήγει дійсн валид 有効 有效 过期 過期 유효 만료 صالح صلاحية בתוקף hết.hạn hiệu.lực berlaku หมดอายุ`), 'u')

/** Words for signing in, and for one use, with which a code is likelier than one of another name. */
export const oneTimeName = wordPattern(`${signInWord.source}|${oneTimeWord.source}|(?<!\\p{L})otp(?!\\p{L})`, 'u')

/** "482913 that we sent you yesterday ". */
const relativeClause = String.raw`\s(?:${stems(`
  that which you we from of que qui quale che pe.care som die dat yang mà που πού den das der welche[rns]? któr(?:y|ego) koj[ie] ki který ktorý jonka joka mis mille kurį kuris ko kas который що який које који која които който што ambao ambayo tuli\\p{L}{2,12} na që sem
  הזה ש\\p{L}{3,12} الذي التي که جو`)})\s[^\n.;]{1,60}?[\s,]`

/** A code that can no longer be used, at the start of the text after it: "482913 has expired", "482913, sent today, is not valid". */
export const expiredAfter = wordPattern(String.raw`^(?:,\s[^,.;\n]{1,60}|${relativeClause})?[^\p{L}\p{N}\n]{0,3}(?:(?:kód|kod|код)\p{L}{0,6}\s|\s?kodea\s)?(?:${stems(`
  (?:(?:has|have|is|was).(?:already.|now.)?(?:expired|invalid)|(?:has|have).been.(?:replaced|deactivated|disabled|revoked|cancell?ed))
  (?:is|are).no.longer.valid (?:no.longer|does.?n.t).work can.no.longer.be.used ist.(?:bereits.)?(?:abgelaufen|ungültig|nicht.mehr.gültig|gesperrt|deaktiviert) (?:gilt|funktioniert).nicht.mehr wurde.(?:ersetzt|gesperrt|deaktiviert)
  (?:a|est).(?:expiré|été.(?:désactivé|annulé|remplacé)) n.est.plus.val ne.fonctionne.plus ha.(?:caducado|expirado|vencido) ha.sido.(?:anulado|reemplazado|desactivado) (?:ya.)?no.(?:es|está).válido ya.no.(?:funciona|sirve|vale)
  è.(?:scaduto|stat[oa].(?:disattivat|annullat|sostituit)[oa]) non.(?:è|funziona).più expirou foi.(?:cancelado|desativado|substituído) já.não.(?:é.válido|funciona) não.(?:é.mais.válido|vale.mais|funciona.mais)
  is.(?:verlopen|niet.meer.geldig|vervallen) werkt.niet.meer wygasł stracił.ważność (?:jest.już.nieważny|nie.jest.już.ważny|już.nie.działa) (?:již|už|uz).(?:neplatí|není.platný|nie.je.platný|nefunguje) vypršel vypršal
  virker.ikke.længere virker.ikke.lenger er.(?:udløbet|utløpt|útrunninn) gælder.ikke.længere gjelder.ikke.lenger (?:fungerar|gäller).inte.längre har.(?:löpt|gått).ut on.vanhentunut ei.(?:ole.enää.voimassa|toimi.enää)
  (?:-?\\p{L}{2}.kód.)?lejárt már.nem.érvényes a.expirat nu.mai.este.valabil više.ne.(?:vrijedi|važi) je.(?:istekao|potekla) ne.velja.več nebegalioja vairs.nav.derīgs (?:enam.ei.kehti|on.aegunud) artık.geçer süresi.doldu ha.caducat ja.no.és.vàlid
  ист[её]к(?!а) (?:больше.|уже.)?не.?действителен (?:больше|уже).не.действует (?:вже|уже|більше).не.?(?:дійсний|діє) (?:вече.не.е.валиден|изтече|е.изтекъл) више.не.важи έχει.λήξει έληξε δεν.ισχύει.πλέον
  (?:gửi.trước.đó.)?(?:đã.hết.hạn|không.còn.hiệu.lực) (?:sudah.)?(?:tidak.berlaku|kedaluwarsa|kadaluarsa) (?:telah.tamat.tempoh|tidak.sah.lagi) انتهت.صلاحيت لم.يعد.صالح (?:منقضی.شده|دیگر.معتبر) פג.תוקפו (?:אינו.בתוקף|כבר.לא.תקף)
  अब.मान्य.नहीं की.(?:अवधि|वैधता).समाप्त caducó expiró venció iraungi.da (?:har|er).(?:utløpt|udløbet) galiojimas.(?:baigėsi|pasibaig) derīguma.termiņ је.истекао ka.skaduar umeisha.muda nag-expire.na telah.kedaluwarsa мерзімі.(?:аяқтал|өт|бітті) хугацаа.(?:дуус|өнгөр)
  کی.میعاد.ختم এর.মেয়াদ.(?:শেষ|উত্তীর্ণ) פג(?!\\p{L}) פקע ვადა.გაუვიდა ვადაგასულ ጊዜው.አልፎ காலாவதியாகி గడువు.ముగి បានផុតកំណត់ ໝົດອາຍຸ သက်တမ်းကုန် ժամկետը.(?:լրացել|անցել)`)})`
  + String.raw`|^(?:\s?ที่[\p{Script=Thai}\p{M} ]{1,40})?\s?(?:หมดอายุแล้ว|ใช้ไม่ได้แล้ว)|^\s?已(?:经|經)?(?:[过過]期|失效|作[废廢])`
  + String.raw`|^の?(?:有効)?期限[がは](?:既に|すでに)?(?:切れ|過ぎ)|^[はが](?:(?:有効)?期限(?:[がは])?切れ|無効|失効|(?:ご?利用|使用|お使い)[^。\n]{0,6}(?:できません|いただけません))|^[은는이가의]?\s?(?:유효\s?기간[이은]\s?)?(?:만료되었|만료됐|더.이상)`, 'u')

/** The same before it: "انتهت صلاحية الرمز 482913". */
export const expiredBefore = /(?:انتهت صلاحية|nag-expire na ang)[^\n.:،]{0,24}$/u

/** Words before "code" with which it is that of the reader, and no program's. */
export const ownCodeBefore = wordPattern(String.raw`(?<!\p{L})(?:${stems(`
  your this following the ang with by der den dem le il el o ihr ihren dein deinen diese[nmr]? folgende[nmr]? mit deze volgende met följande følgende votre ton ce tu su seu este tuo il.tuo questo je jouw uw din twój váš tvůj ваш твой этот あなたの お客様の 您的 你的 귀하의
  pairing join backup recovery unlock invite invitation device meeting entry door game room pass secret tv activation temporary
  confirmation validation share show give tell quote pick.?up collection delivery locker`)}|${enterWords})(?:\s[\p{L}\d'’.-]+){0,3}\s*$`, 'u')

/** The same word in the languages that have one alone, or a colon: in a sentence with "code", the number behind it is the code. */
export const linkWordAtEnd = wordPattern(String.raw`(?:[:：]|(?<!\p{L})(?:${wordsForIs}|は)(?:\s(?:${articles}))?)[^\p{L}\p{N}]{0,8}$`, 'u')

/** A word such as "is", a colon, or the end of a line or a cell, at the end of a text. */
export const linkAtEnd = wordPattern(String.raw`(?:[:：\t\n]|(?<!\p{L})(?:${linkingWords})(?:\s(?:${articles}))?)[^\p{L}\p{N}]{0,16}$`, 'u')

/** Words that end with a full stop within a line, and a name that ends with an exclamation mark. */
export const abbreviations = stems(`
  \\p{L} inc ltd corp llc plc co bros mr mrs ms dr prof st sr sra jr rs no nr nº núm num tel ref acct approx a/c att attn dept est vs b.v n.v s.a s.l s.r.l
  s.p.a kr bs npr kshs? rp z.b d.h u.a bzw ggf inkl zzgl ca str bl evtl geb vom p.ej ej av avda ud uds ul al pl dn godz tzn np tzw max exp sp dvs dv стр тел руб коп кв им т.е тыс err yahoo pvt лв грн ден zł tl br бр αρ`)

/** Words of a sentence whose code is a voucher. */
export const voucher = String.raw`(?<![\d.,(])(?:[5-9]|[1-9]\d)\s?%(?!\)|.(?:apy|apr|p\.a|done|complete|fertig))|${stems(`
  at.checkout carrinho carrito panier carrello warenkorb winkelwagen koszyk koší[kč] корзин coupon voucher discount(?!.bank) promo(?!\\.com) gutschein rabat descuento desconto réduction sconto korting скидк 割引 折扣 할인`)}`
