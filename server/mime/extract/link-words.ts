/** Words of links in lower case, by the purpose of a link. They match anywhere in the text, so stems are enough. */

export const actionWords = words(`
  verify verif confirm activat validat reset recover(?!y) restor recuper récupér wiederherstell opnieuw.instellen
  unlock approve authori magic.link bestätig verifizier
  aktivier zurücksetz freischalt confirme valider vérifi réinitialis activer confirma verifica activa
  valida restablece ativar redefin conferma attiva reimposta bevestig verifieer activeer herstel
  potwierd zweryfik aktywuj aktywow zresetuj zresetow potvrd ověř aktivova obnovi bekräft verifier aktiver återställ
  bekræft nulstil bekreft tilbakestill vahvista nollaa doğrula onayla etkinleştir sıfırla megerősít visszaállít
  aktivál confirmă resetează konfirm kinnita staðfest váttan patvirtin apstiprin potrdi ikkonferma egiazta berretsi
  cadarnha dilys deimhnigh təsdiq tasdiq kumpirma xaqiij tabbatar thibitish qinisekis επιβεβα επαλήθ ενεργοπο подтверд подтвержд верифи активир сброс скин(?:ут|ь|да) підтверд активув
  потвърд потврд раста баталгаажуул հաստատ დადასტურ დაადასტურ 验证 驗證 确认 確認 激活 啟用 重置 重設 認証 有効化 再設定 承認 인증 확인 활성화 재설정 تأكيد تحقق تفعيل تعيين אימות אשר אישור איפוס
  הפעל सत्यापित पुष्टि रीसेट ยืนยัน รีเซ็ต đặt.lại xác.nhận xác.minh kích.hoạt aktifkan atur.ulang sahkan אמת.את تایید تأیید تصدیق
  فعال உறுதி சரிபார் নিশ্চিত যাচাই ధృవీకరి నిర్ధారి ದೃಢೀಕರಿ സ്ഥിരീകരി ચકાસ પુષ્ટિ ਪੁਸ਼ਟੀ ਤਸਦੀਕ තහවුරු ຢືນຢັນ ផ្ទៀងផ្ទាត់ အတည်ပြု አረጋግጥ`)

/** Of links that accept an invitation, complete a registration or choose a password. */
export const signUpWords = words(`
  accept join complet finish claim.{1,12}account (?:set|choose|create).{1,12}password
  annehm akzeptier acept aceit accett akcept aksepter aċċetta godta hyväksy elfogad kabul.e przyjm přijm prijať prijm prihvat sprejm
  nõustu võta.{1,20}vastu pieņem priim samþykk onartu derbyn glac.leis qəbul qabul tanggap aqbal karɓ kubali yamukel (?<!\\p{L})prano
  αποδοχή αποδεχ принять прими(?!тив) прийня прийм приеман приеми прихват прифат хүлээн.ав ընդունել მიღება 接受 招待を受け 承諾 受諾 参加 수락
  قبول اقبل پذیرش קבלת קבל.את स्वीकार ยอมรับ ตอบรับ chấp.nhận (?<!\\p{L})terima(?!.?kasih) ஏற்க গ্রহণ అంగీకరి ఆమోది സ്വീകരി ಸ್ವೀಕರಿ
  સ્વીકાર ਸਵੀਕਾਰ පිළිගන් ຍອມຮັບ ទទួលយក လက်ခံ ተቀበል
  abschließ passwort.{1,12}(?:festleg|wähl|erstell|vergeb) finalis termine[rz] conclui voltooi afrond dokończ zakończ dokonč заверш slutför
  fuldfør færdiggør fullfør viimeistele tamamla befejez ολοκλήρ 完了 完成 완료 إكمال أكمل השלמת השלם hoàn.tất hoàn.thành selesaikan lengkapi`)

/** Also the word for a password, which may stand before its verb. */
export const signInWords = words(`
  sign.?in log.?in (?:sign|log).me.in change.password get.started continue anmelden einloggen passwort se.connecter connexion
  mot.de.passe iniciar.sesi contraseña entrar acessar senha accedi password inloggen wachtwoord zaloguj hasło přihlás heslo logga.in
  lösenord log.ind adgangskode logg.inn passord kirjaudu salasana giriş şifre войти пароль увійти вход вписване 登录 登錄 登入 密码
  ログイン パスワード 로그인 비밀번호 تسجيل.الدخول كلمة התחבר סיסמה लॉग เข้าสู่ระบบ đăng.nhập masuk kata.sandi σύνδεση bejelentkez conectare`)

/** Words of buttons that say little, or lead to the subject of the mail. */
export const openWords = words(`
  ^(?:view|see)(?!.{0,12}\\b(?:all|more|plans?|pricing|products|offers|deals|shop|store|(?:web)?site)\\b)\\b download(?!.{0,12}\\bapps?\\b)
  ^(?:track|pay|review|renew|revoke|redeem|claim|reply|respond|answer|print|export|(?:re)?schedule|rate|watch|listen|rsvp|check.?in)\\b
  ^register.(?:for|now|here|your) add.to.calendar order.status update.{1,12}(?:payment|billing|card|subscription|plan)
  open start proceed launch go.to let.me.in take.me yes that.s.me it.s.me this.is.m click tap here
  öffnen weiter ja, hier.klicken herunterlad ansehen anzeigen sendung.verfolgen rechnung.bezahlen
  ouvrir oui cliquez télécharg ^(?:voir|consulter|afficher|suivre|payer)(?!.(?:plus|tou)) abrir sí, sim, clique haz.clic descarg descarreg
  baixar
  ^(?:ver|visualizar|consultar|pagar|rastrear)(?!.(?:más|mais|tod|tud)|\\p{L}) apri clicca scaric
  ^(?:visualizza|vedi|paga|traccia)(?!.tutt|\\p{L}) openen klik
  ^(?:bekijk|betaal|volg)(?!.(?:alle|meer)|\\p{L}) otwórz tak, kliknij pobierz ^(?:zobacz|wyświetl|opłać|zapłać)(?!.(?:wszystk|więcej))
  otevřít ano stáhn ^zobrazit ^zaplatit
  öppna ladda.ner ^visa. åbn ^vis. åpne last.ned avaa lataa näytä letölt megtekint deschide descarcă ^vezi. aç indir(?!im) görüntüle λήψη
  προβολή evet открыть да, нажмите скачать ^(?:по)?смотреть оплатить відкрити так, завантаж ^переглян 打开 打開 点击 點擊 查看 檢視 下载 下載
  開く はい クリック ダウンロード を見る 表示 열기 네, 클릭 다운로드 보기 افتح نعم اضغط تحميل تنزيل ^عرض פתח כן לחץ הורד ^הצג ^צפ
  buka unduh ^lihat mở tải.xuống ^xem ดาวน์โหลด ^ดู डाउनलोड देखें`)

/** Words of links to settings, which a mail with a document has besides. */
export const settingsWords = words('^manage.{1,12}(?:payment|billing|card|subscription|plan|booking|reservation|appointment|order)')

/** Words of links that explain or decline something. */
export const asideWords = words(`
  how(?!ever) why what(?!sapp) learn.more more.info read.more forgot forgotten did.?n.t did.not not.you was.?n.t not.me not.request cancel decline reject
  deny ^report report.(?:this|it|abuse|spam|phishing|suspicious|un) secure.your trouble problem question(?!naire) warum wie mehr.erfahren vergessen ablehnen abbrechen nicht.ich comment.ça pourquoi savoir.plus
  oublié refuser annuler pas.moi cómo por.qué más.información olvid no.fui rechazar cancelar como.funciona saiba.mais esquec recusar
  come.funziona perché scopri.di dimentic rifiuta annulla hoe waarom meer.informatie vergeten weiger annuleer jak.działa dlaczego zapomn odrzuć
  anuluj jak.to hur(?!ry) läs.mer glömt avböj avvis glemt nasıl daha.fazla unut reddet как.это почему подробнее забыли отклонить отмен не.я 如何 为什么
  了解更多 忘记 忘記 拒绝 取消 詳しく 忘れ 拒否 キャンセル 방법 자세히 거부 취소`, String.raw`(?<!\p{L})`)

export const footerWords = words(`
  unsubscribe opt.out manage.{1,16}(?:preferences|settings) email.preferences notification.settings privacy terms
  legal imprint cookie (?:view|read|open|see).online display(?:ing|ed).(?:correctly|properly) (?:trouble.)?viewing.this help.cent support(?!.chat) contact(?:$|.us|.support|.form|.customer|.our|.the) \\bfaqs?\\b
  follow.us app.store google.play abmelden abbestell datenschutz impressum \\bagb\\b kontakt
  se.désabonner désinscri désabonne confidentialité mentions cancelar.suscri darse.de.baja
  privacidad descadastr cancelar.inscri cancellati disiscri annulla.iscri afmelden uitschrijv
  privacyverklaring wypisz prywatności odhlásit avregistrera avsluta afmeld avmeld peruuta abonelikten
  gizlilik leiratkoz dezabon отписат конфиденц відписат 退订 取消订阅 隐私 退訂 配信停止 プライバシー 수신.?거부 개인정보
  إلغاء.الاشتراك الخصوصية הסר פרטיות berhenti.berlangganan hủy.đăng.ký διαγραφ`)

const browsers = alternatives(`
  browser navigateur navegador webbläsar nettleser przeglądar prohlížeč prehliadač браузер браузър πρόγραμμα.περιήγησης trình.duyệt peramban preglednik`)
const webPages = alternatives(`
  web.?version web.?ansicht online.?version online.?ansicht (?:email|mail|newsletter).online version.(?:en.ligne|web|online) versi[oó]n.(?:web|en.l[ií]nea|online)
  versão.(?:web|online) versione.(?:web|online) online.versie webversie webbversion wersja.online wersja.internetowa (?:веб|онлайн).верси nettversjon webudgave
  selaimessa böngészőben tarayıcıda ブラウザー?で ウェブで web.?で 浏览器 瀏覽器 网页版 網頁版 브라우저에서 웹에서 في.المتصفح בדפדפן เบราว์เซอร์ ब्राउज़र.में`)
const pasted = alternatives(`
  link url address lien adresse enlace dirección endereço collegamento indirizzo koppeling adres odnośnik odkaz länk lenke linkki hivatkozás bağlantı ссылк посилання
  връзк σύνδεσμο 链接 連結 鏈接 网址 リンク 링크 رابط קישור ลิงก์ liên.kết tautan लिंक copy paste`)

/** Words of a link to the mail itself as a page. Those with a word for a link say to paste a URL into a browser. */
export const browserViewWords = new RegExp([
  String.raw`(?:(?<!\p{L})(?:in|im|dans|nel|en|no|w|v|ve|i|în|în|в|у|στο|trong|di|u)\s(?:\p{L}{1,5}\s)?(?:${browsers})|${webPages})`,
  String.raw`(?<!(?:${pasted}).{0,80})(?!.{0,80}(?:${pasted}))`,
].join(''), 'u')

/** Hosts of social networks and app stores, whose links are rarely the call to action. */
export const socialHost = new RegExp([
  String.raw`^https?:\/\/(?:[\w-]{1,20}\.){0,2}(?:facebook|fb|twitter|x|instagram|linkedin`,
  String.raw`|youtube|tiktok|pinterest|threads|t|discord|vk|weibo|apps\.apple|itunes\.apple|play\.google)`,
  String.raw`\.(?:com|me|gg|net)(?:[\/?#]|$)`,
].join(''))

/** Parameters of a URL that is made for one mail. */
export const tokenInUrl = /[?&/#][a-z_]{0,20}(?:token|oobcode|otp|code|key|magic)[=/]/

/** Makes an expression of a list: `a.b` matches two words, `a.?b` one word or two. */
function words(list: string, start = ''): RegExp {
  return new RegExp(`${start}(?:${alternatives(list)})`, 'u')
}

function alternatives(list: string): string {
  return list.trim().split(/\s+/).map((word) => word.replace(/\.\?/g, '[ _-]?').replace(/\.(?!\{)/g, "[\\s_+%'’-]{1,3}")).join('|')
}
