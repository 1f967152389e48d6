import { plainFirst } from './code-words.ts'
import { wordPattern } from './word-pattern.ts'

/** Words of links in lower case, by the purpose of a link. They are stems, which begin a word, except in scripts without spaces. */

/** The first letter of a word in a script whose words have spaces between them, and no article or preposition as a prefix. */
const scriptWithCases = /^\P{L}*[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}]/u

/** Those of a word with others before it: "Adressbestätigung", "/emailverify". A prefix such as "de-" makes another word. */
const compoundedActions = `
  verif(?!ied|ication.polic) confirm(?!ed) activat(?!ed) validat(?!ed) bestätig verifizier aktivier freischalt bekräft bekreft verifier aktiver megerősít aktivál`

export const actionWords = words(`
  be.(?:verified|confirmed|activated|approved) merge.this.pull.request unlock(?!ed) approv(?!ed) authori[sz](?!ed) grant.access trust.th magic.link
  allow.access freigeben freigabe autorisier entsperr zustimm validier identität.nachweis
  valide[rz] vérifi activ(?:er|ez|e.(?:ton|votre|mon)) autoriser débloque[rz] déverrouill activa(?!t) activ[áe].(?:tu|su|la|el) desbloque
  valida valide.(?:su|seu|sua|o|a) ativ(?:ar|e)(?!\\p{L}) conferm[ai] convalida attiv(?:a|i.(?:il|la)) sblocca autorizza bevestig activeer ontgrendel deblokk
  potwierd zweryfik weryfikuj aktywuj aktywow odblok potvrd potvrď potvrzuj otključaj odkleni(?!\\p{L}) odomkn ξεκλείδω откључај отключете.профил over(?:iť|te)(?!\\p{L}) ověř aktiv(?:uj|ova|ér|oi|ir) odemkn lås.(?:upp|op)
  bekræft vahvista doğrula onayla etkinleştir kilidini.aç erősíts\\p{L}{1,2}.meg felold
  confirmă activeaz deblocheaz konfirm kinnita staðfest váttan patvirtin apstiprin potrdi ikkonferma egiazta berretsi
  cadarnha dilys deimhnigh təsdiq tasdiq kumpirma xaqiij tabbatar thibitish qinisekis επιβεβα επαλήθ ενεργοπο ξεκλειδ подтверд подтвержд верифи активир
  разблок підтверд активув розблок aktiveeri aktiviz[ēo] aktyvuo aktibatu virkja सक्रिय.कर เปิดใช้งาน 有効にする
  потвърд потвържд потврд раста белсендір faollashtir aktivləşdir aktivasi aktiveer активуй επαληθ wezesha fíoraigh gníomhachtaigh actifadu проверить.(?:аккаунт|почт) xác.thực баталгаажуул հաստատ დადასტურ დაადასტურ 验证 驗證 确认 確認 激活 啟用 認証 有効化 承認 인증 확인 활성화 تأكيد تحقق تفعيل أك[ّ]?د فع[ّ]?ل.حساب 解锁 解除鎖定 ロック解除 잠금.해제 გააქტიურ ակտիվացն সক্রিয় செயல்படுத்து אימות אשר אישור
  הפעל सत्यापित पुष्टि ยืนยัน xác.nhận xác.minh kích.hoạt aktifkan sahkan אמת.את تایید تأیید تصدیق
  فعال உறுதி சரிபார் নিশ্চিত যাচাই ధృవీకరి నిర్ధారి ದೃಢೀಕರಿ സ്ഥിരീകരി ચકાસ પુષ્ટિ ਪੁਸ਼ਟੀ ਤਸਦੀਕ තහවුරු ຢືນຢັນ ផ្ទៀងផ្ទាត់ အတည်ပြု አረጋግጥ`, compoundedActions)

/** Of links to choose a new password, which many mails have besides their own. */
export const resetWords = words(`
  recover(?!y|ed) przywróć odzyskaj restor(?!ed) récupér réinitialis restablece recuperar? redefin repor.(?:a.)?(?:palavra|senha) reimposta opnieuw.instel
  zresetuj zresetow obnovi återställ nulstil tilbakestill nollaa sıfırla visszaállít resetează поновит восстанов сброс скин(?:ут|ь|да) відновит επαναφορ
  ponastavi resetuj ресетуј ресетирај lähtesta atiestat atkurti endurstill restableix berrezarri rivendos tetapkan.semula athshocraigh ailosod tiklash қалпына.келтір აღდგენ վերականգն بازنشانی ری.سیٹ রিসেট மீட்டமை
  重置 重設 再設定 재설정 تعيين איפוס रीसेट รีเซ็ต đặt.lại atur.ulang`, 'reset(?!.{1,16}dial.?in) zurücksetz wiederherstell herstel')

/** Of links that accept an invitation, complete a registration, choose a password, or lead to the document of the mail. */
export const signUpWords = words(`
  accept join(?!.(?:us|our)(?!\\p{L})) complet pridruži придружи присъединете připojit pripojiť alătură-te deltag(?!\\p{L}) dovrši ολοκληρώσ pabeigt baigti finish claim.{1,12}account (?:set|choose|create).{1,12}password set.?up.(?:your|my|an?) (?:create|enable).{1,12}account
  (?:view|see|pay|track|review|renew).(?:your|the|my|this).(?:\\p{L}{2,12}.)?(?:bill|invoice|order|statement|parcel|package|shipment|ticket|receipt|document)
  (?:sign|download).(?:the|your|this)?.{0,8}document ^rsvp pipelines/\\d{3} επιλέξτε.{1,6}κωδικό
  annehm akzeptier acept aceit accett akcept zaakcept aksepter aċċetta godta hyväksy elfogad kabul.e przyjm přijm prijať prijm prihvat sprejm únete
  nõustu võta.{1,20}vastu pieņem priim samþykk onartu derbyn glac.leis qəbul qabul tanggap aqbal karɓ kubali yamukel prano
  αποδοχή αποδεχ принять прими(?!тив) прийня прийм приеман приеми приемете прихват прифат хүлээн.ав ընդունել მიღება 接受 招待を受け 承諾 受諾 参加 수락
  قبول اقبل پذیرش קבלת קבל.את स्वीकार ยอมรับ ตอบรับ chấp.nhận terima(?!.?kasih) ஏற்க গ্রহণ అంగీకరి ఆమోది സ്വീകരി ಸ್ವೀಕರಿ
  સ્વીકાર ਸਵੀਕਾਰ පිළිගන් ຍອມຮັບ ទទួលយក လက်ခံ ተቀበል
  beitreten uni(?:rme|rse|rte) participar unisciti deelnemen dołącz gå.med bli.med liity katıl csatlak присоедин приєдн 加入(?!我们|我們|购物车|購物車) 참여 انضم הצטרפ tham.gia gabung bergabung เข้าร่วม
  abschließ teilnehmen passwort.{1,12}(?:festleg|wähl|erstell|vergeb) (?:rechnung|bestellung|sendung|paket).(?:ansehen|anzeigen|bezahlen|verfolgen)
  rejoin(?:dre|s|t) finalis termine[rz] conclui voltooi afrond dokończ zakończ dokonč заверш slutför avsluta.regist
  fuldfør færdiggør fullfør viimeistele tamamla befejez ολοκλήρ 完了 完成 완료 إكمال أكمل השלמת השלם hoàn.tất hoàn.thành selesaikan lengkapi`)

const passwords = `passwor[dt] kennwort mot.de.passe contraseña senha palavra-passe wachtwoord has[łl] heslo lösenord adgangskode passord salasana
  şifre şifrə парол parol(?!a)\\p{L} parolay schimbă.parola geslo lozink лозинк jelsz slaptažod lykilorð contrasenya pasahitz fjalëkalim wagwoord nenosiri pasfhocal cyfrinair құпиясөз パスワード 密码 密碼 비밀번호 סיסמה كلمة.(?:المرور|السر) kata.sandi kata.laluan mật.khẩu
  პაროლ գաղտնաբառ رمز.عبور पासवर्ड পাসওয়ার্ড கடவுச்சொல் รหัสผ่าน`

/** "Continue". */
const resume = `continuar?(?!\\p{L}) doorgaan fortsätt fortsett fortsæt jatka(?!\\p{L}) kontynuuj pokračova[tť] folytatás continuă nadaljuj nastavi(?!\\p{L}) devam.et jätka(?!\\p{L}) turpināt tęsti halda.áfram
  jarraitu vazhdo endelea magpatuloy gaan.voort lean.ar.aghaidh parhau(?!\\p{L}) davom.et lanjutkan teruskan tiếp.tục продолж продовж продължи настави(?!\\p{L}) жалғастыр გაგრძელ շարունակ متابعة ادامه
  جاری.رکھیں המשך जारी.रखें চালিয়ে தொடர ดำเนินการต่อ 继续 繼續 続ける 続行 계속`

/** Also the word for a password, which may stand before its verb. */
export const signInWords = words(`
  sign.?in sign.?up log.?in (?:\\p{L}{3,12})?login (?:sign|log).me.in change.password get.started continue access.(?:your|my) ^register(?!ed)
  anmelden anmeldung melde?.{1,12}an(?!\\p{L}) anmelde einloggen registrier zum.(?:kunden)?konto konto.erstellen los.geht loslegen créer.{1,12}compte commencer c.est.parti (?:se|me|te|vous|nous).connecte connectez connexion inscri[vs]
  inici(?:ar|a|e).sesi iniciar.sess comenzar comienza empezar crear?.{1,8}cuenta começar criar.{1,8}conta cadastr aced[ea](?!\\p{L}) accéder acced(?:er|e|a)(?!\\p{L}) ingres(?:ar|a|e)(?!\\p{L}) reg[ií]str(?:ate|ese|arse|arme) entrar? acess(?:ar|e)(?!\\p{L})
  accedi effettua.l.accesso registrati inizia(?!\\p{L}) crea.{1,8}account registreer meld.{1,12}aan(?!\\p{L}) aan.de.slag rozpocznij začít kom.i.?gång kom.i.gang aloita luo.tili
  belép lépjen başla(?!\\p{L}) войдите (?:за)?регистр начать συνδεθ intră.în setează.parol[aă] înregistr пријави 시작 ابدأ
  inloggen zaloguj přihlás logga.in log.ind logg.inn kirjaudu giriş prijav
  prihlás přihlas aanmelden jelentkezz\\p{L}{0,2}.be logi.sisse pieslēg prisijung innskráning skrá.inn inicia.la.sessi hasi.saioa најави ingia(?!\\p{L}) teken.in mewngofnod daxil.ol кіру(?!\\p{L}) влез увійдіть մուտք შესვლა
  سج[ّ]?ل.الدخول ورود وارد.شوید כניסה لاگ.ان साइन.इन লগ.ইন সাইন.ইন உள்நுழை ลงชื่อเข้าใช้ ${resume}
  войти увійти вход вхід вписване 登录 登錄 登入 ログイン 로그인 تسجيل.الدخول התחבר लॉग เข้าสู่ระบบ đăng.nhập masuk σύνδεση bejelentkez conectare conecteaz autentific ${passwords}`)

/** Words of buttons that say little, or lead to the subject of the mail. */
export const openWords = words(`
  ^(?:view|see|read)(?!.{0,12}\\b(?:all|more|plans?|pricing|products|offers|deals|shop|store|(?:web)?site)\\b)\\b download(?!.{0,12}\\bapps?\\b)
  ^(?:track|pay|review|renew|revoke|redeem|claim|reply|respond|answer|print|export|(?:re)?schedule|rate|watch|listen|check.?in)\\b
  add.to.calendar order.status update.{1,12}(?:payment|billing|card|subscription|plan)
  (?:open|start|proceed|launch|go.to|let.me.in|take.me|yes|that.s.me|it.s.me|(?:this|it|that).was.me|this.is.m\\p{L}|click|tap|here)(?!\\p{L})
  öffnen weiter(?!\\p{L}) ja, hier.klicken herunterlad ansehen anzeigen sendung.verfolgen rechnung.bezahlen
  ouvrir oui(?!\\p{L}) cliquez télécharg ^(?:voir|consulter|afficher|suivre|payer)(?!.(?:plus|tou)) abrir sí, sim, clique haz.clic descarg descarreg
  baixar
  ^(?:ver|visualizar|consultar|pagar|rastrear)(?!.(?:más|mais|tod|tud)|\\p{L}) apri(?!\\p{L}) clicca scaric
  ^(?:visualizza|vedi|paga|traccia)(?!.tutt|\\p{L}) openen klik
  ^(?:bekijk|betaal|volg)(?!.(?:alle|meer)|\\p{L}) otwórz tak, kliknij pobierz ^(?:zobacz|wyświetl|opłać|zapłać)(?!.(?:wszystk|więcej))
  otevřít ano(?!\\p{L}) stáhn ^zobrazit ^zaplatit
  öppna ladda.ner ^visa. åbn ^vis. åpne last.ned avaa(?!\\p{L}) lataa näytä letölt megtekint deschide descarcă ^vezi. aç(?!\\p{L}) indir(?!im) görüntüle λήψη
  προβολή evet(?!\\p{L}) открыть да, нажмите скачать ^(?:по)?смотреть оплатить відкрити так, завантаж ^переглян 打开 打開 点击 點擊 查看 檢視 下载 下載
  開く はい クリック ダウンロード を見る 表示 열기 네, 클릭 다운로드 보기 افتح نعم اضغط تحميل تنزيل ^عرض פתח כן לחץ הורד ^הצג ^צפ
  nu.betalen ^betal(?!ing) (?:jetzt|nu).bezahlen ^maksa(?!\\p{L}) fizetés plătește плат(?:и|ете)(?!\\p{L}) сплатити plat?i(?!\\p{L}) plačaj zaplatiť πληρωμή öde(?!\\p{L}) ادفع לתשלום پرداخت भुगतान ชำระเงิน thanh.toán bayar 支付 付款 支払 결제
  spåra spor(?!\\p{L}) følg.pakk seuraa śledź sledova[tť] csomagkövet urmărește.colet проследи відстеж отслед kargo.takip تتبع מעקב buka unduh ^lihat mở tải.xuống ^xem ดาวน์โหลด ^ดู डाउनलोड देखें`)

/** Words of links to settings, which a mail with a document has besides. */
export const settingsWords = words('^manage.{1,12}(?:payment|billing|card|subscription|plan|booking|reservation|appointment|order)')

/** That something was forgotten or was not requested: what follows is not for the reader to whom the mail is of use. */
const unasked = `
  learn.how forgot forget.(?:your|the|my).pass did.?n.t did.not not.you was.?n.t not.me not.request nicht.(?:ich|du|sie|angeforder) (?<!nicht.)vergessen oubli(?!\\p{L}*.pas) pas.(?:moi|vous|demandé) (?<!no.(?:te.|se.)?)olvid no.(?:fui|has|ha|fuiste|solicit) (?<!não.(?:se.)?)esquec não.(?:foi|solicit)
  (?<!non.)dimentic non.hai (?<!niet.)vergeten niet.(?:aangevraagd|zelf) (?<!nie.)zapomn glömt glemt unut(?!m[ae]) забыл не.я 忘记 忘記 忘れ
  (?:${alternatives(passwords)}).{0,12}(?:vergessen|oubli|olvid|esquec|dimentic|vergeten|zapomn|glömt|glemt|unoht|unut|забы|elfelejt|忘)`
export const unaskedWords = words(unasked)

/** Words of links that explain or decline something. */
export const asideWords = words(`
  ${unasked} (?:how|why|what|warum|wie|hoe|waarom|hur|cómo|perché|pourquoi|dlaczego|как|почему)(?!\\p{L}) learn.more more.info read.more cancel decline reject
  deny ^report report.(?:this|it|abuse|spam|phishing|suspicious|un) secure.your trouble problem question(?!naire) mehr.erfahren ablehnen abbrechen comment.ça savoir.plus
  refuser annuler por.qué más.información rechazar cancelar como.funciona saiba.mais recusar
  come.funziona scopri.di rifiuta annulla meer.informatie weiger annuleer jak.(?:działa|to) odrzuć
  anuluj läs.mer avböj avvis nasıl daha.fazla reddet подробнее отклонить отмен 如何 为什么
  了解更多 拒绝 取消 詳しく 拒否 キャンセル 방법 자세히 거부 취소`)

const notices = '(?:notif|e.?mail|alert|message|reminder|newsletter|update|receiv|getting|sending|sent)'

/** Of links to receive no more mails, to choose which, or to the sender. */
export const footerWords = words(`
  unsubscribe opt.?out opting.out
  (?:e.?mail|notification|communication|subscription|contact|alert|message).(?:preferences|settings) preference.cent (?:turn|switch).{0,24}off(?!\\p{L})
  (?:stop|disable|mute|pause|snooze)(?=.{1,24}${notices}) deactivate(?!d) remove.me remove.{1,24}list no.longer.(?:wish|want|like|receive)
  (?:do.?n.t|do.not|not).(?:want|wish).(?:these|.{1,12}${notices}) mailing.list dial.?in
  (?:view|read|open|see).online display(?:ing|ed).(?:correctly|properly) (?:trouble.)?viewing.this help.cent contact(?:$|.us|.support|.form|.customer|.our|.the) faqs?(?!\\p{L})
  follow.us app.store google.play abmelden abbestell austrag deaktivieren deaktiviere(?!\\p{L}) (?:ab|aus)schalten nicht.(?:mehr|länger).{0,24}(?:erhalten|bekommen)
  keine.(?:weiteren.|mehr.)?(?:e.?mail|nachricht|benachrichtigung) (?:benachrichtigungs)?einstellungen.(?:ändern|verwalten|anpassen)
  (?:benachrichtigung|e.?mail)\\p{L}{0,4}.(?:verwalten|ändern|anpassen) einwahl
  se.désabonner désinscri désabonne désactive[rz] ne.{1,16}plus.recevoir (?:gérer|modifier|changer).{1,16}(?:préférences|notifications|alertes|abonnements|e.?mails)
  cancelar.suscri darse.de.baja desactiv(?:ar|e|a)(?!\\p{L}) dejar.de.recibir no.(?:quier|dese)\\p{L}{1,4}.{0,8}recibir (?:gestion|administr|cambi|modific)\\p{L}{1,3}.{1,12}(?:notificaciones|suscripc|correos)
  descadastr cancelar.(?:a.)?(?:inscri|assinatura) desativ(?:ar|e)(?!\\p{L}) deixar.de.receber sair.da.lista não.(?:quer|dese)\\p{L}{1,3}.{0,8}receber (?:gerenci|ger|alter)\\p{L}{1,3}.{1,12}(?:notificações|inscri)
  cancellati disiscri annulla.iscri disattiv(?:a|are)(?!\\p{L}) non.(?:desider|vuoi|voglio)\\p{L}{0,4}.{0,8}ricevere gesti(?:sci|re).{1,12}(?:notifiche|iscri)
  afmelden uitschrijv deactive(?:er|ren)(?!\\p{L}) uitschakel niet.(?:meer|langer).{0,12}ontvangen (?:meldingen|e.?mails).(?:beheren|aanpass|uitz)
  wypisz dezaktyw(?:uj|ow) wyłącz zrezygn nie.chcesz.{0,12}otrzym zarządzaj.{1,12}(?:powiadom|subskr) odhlásit deaktivova vypnout nepřejete
  avregistrera avsluta.(?:prenum|nyhets|e.?post) inaktivera(?!\\p{L}) stäng.av afmeld avmeld deaktiver(?!\\p{L}) slå.(?:av|fra) frameld (?:inte|ikke).(?:längre|længere|lenger) peruuta poista.käyt
  abonelikten devre.dışı bildirim.(?:ayar|tercih) almak.istem leiratkoz deaktivál kikapcsol értesítési.beáll dezabon dezactivea nu.mai.dor
  отпис деактивиров(?!ан) отключить не.хо(?:тите|чу).{0,12}получать (?:настро|управл).{1,16}(?:уведомл|рассыл|подпис) відпис вимкнути απενεργ
  退订 取消订阅 退訂 停用 关闭通知 通知设置 不再接收 配信停止 配信設定 通知設定 受信設定 無効 수신.?거부 수신.?설정 알림.?설정
  إلغاء.الاشتراك تعطيل הסר berhenti.berlangganan nonaktif hủy.đăng.ký hủy.kích.hoạt tắt.thông.báo διαγραφ`)

/** Of settings and of pages of a site. A mail may be about these, too: "Read the new terms". */
export const siteWords = words(`
  (?:manage|update|change|edit|adjust|customi[sz]e|control)(?!.{1,16}(?:payment|billing)).{1,24}(?:preferences|settings|notifications|e.?mails(?!\\p{L})|alerts|frequency)
  privacy terms legal(?!\\p{L}) imprint cookie support(?!.(?:chat|ticket|request|case)) preferences datenschutz impressum agb(?!\\p{L}) kontakt confidentialité mentions(?!\\p{L}) préférences
  privacidad privacidade preferencias preferências preferenze privacyverklaring voorkeuren prywatności preferencj gizlilik конфиденц 隐私 プライバシー 개인정보
  الخصوصية פרטיות`)

const browsers = alternatives(`
  browser navigateur navegador webbläsar nettleser przeglądar prohlížeč prehliadač браузер браузър πρόγραμμα.περιήγησης trình.duyệt peramban preglednik pregledač прегледач браузър прелистувач браўзер kivinjari shfletues pelayar blaaier vafra porwr bhrabhsálaí`)
const webPages = alternatives(`
  web.?version web.?ansicht online.?version online.?ansicht (?:email|mail|newsletter).online version.(?:en.ligne|web|online) versi[oó]n.(?:web|en.l[ií]nea|online)
  versão.(?:web|online) versione.(?:web|online) online.versie webversie webbversion wersja.online wersja.internetowa (?:веб|онлайн).верси nettversjon webudgave
  selaimessa böngészőben tarayıcıda ブラウザー?で ウェブで web.?で 浏览器 瀏覽器 网页版 網頁版 브라우저에서 웹에서 في.المتصفح בדפדפן เบราว์เซอร์ ब्राउज़र.में
  naršyklėje brauseris pārlūk\\p{L}*ā nabigatzailean brauzerd[əa] браузерде браузерда хөтөч.дээр ბრაუზერში դիտարկիչում զննարկիչում բրաուզերում ব্রাউজারে உலாவியில் బ్రౌజర్.{0,2}లో ಬ್ರೌಸರ್.{0,2}ನಲ್ಲಿ ബ്രൗസറിൽ બ્રાઉઝરમાં ਬ੍ਰਾਊਜ਼ਰ.ਵਿੱਚ
  ब्राउ[जझ]र(?:मध्ये|मा) ဘရောက်ဇာ(?:တွင်|မှာ) براؤزر.میں در.مرورگر កម្មវិធីរុករក ໃນ.?(?:ບຣາວເຊີ|ໂປຣແກຣມທ່ອງເວັບ) በአሳሽ`)
const pasted = alternatives(`
  link url address lien adresse enlace dirección endereço collegamento indirizzo koppeling adres odnośnik odkaz länk lenke linkki hivatkozás bağlantı ссылк посилання
  връзк σύνδεσμο 链接 連結 鏈接 网址 リンク 링크 رابط קישור ลิงก์ liên.kết tautan लिंक copy paste`)

/** Words of a link to the mail itself as a page. Those with a word for a link say to paste a URL into a browser. */
export const browserViewWords = wordPattern([
  String.raw`(?:(?<!\p{L})(?:in|im|dans|nel|en|al|no|sa|w|v|ve|i|í|në|yn|în|în|в|во|у|στο|trong|di|dalam|kwenye|u)\s(?:\p{L}{1,5}\s)?(?:${browsers})|${webPages})`,
  String.raw`(?<!(?:${pasted}).{0,80})(?!.{0,80}(?:${pasted}))`,
].join(''), 'u')

/** Hosts of social networks, app stores and settings of telephone conferences, whose links are rarely the call to action. */
export const socialHost = new RegExp([
  String.raw`^https?:\/\/(?:[\w-]{1,20}\.){0,2}(?:facebook|fb|twitter|x|instagram|linkedin`,
  String.raw`|youtube|tiktok|pinterest|threads|t|discord|vk|weibo|apps\.apple|itunes\.apple|play\.google|dialin\.teams\.microsoft|mysettings\.lync)`,
  String.raw`\.(?:com|me|gg|net)(?:[\/?#]|$)`,
].join(''))

/** Parameters of a URL that is made for one mail. */
export const tokenInUrl = /[?&/#][a-z_]{0,20}(?:(?:token|oobcode|otp|code|key|magic)[=/]|signature=)/

/**
 * Makes an expression of a list: `a.b` matches two words, `a.?b` one word or two. Each begins a word, where a script has spaces.
 * @param compounded words that may also stand behind another of four letters or more, or "re"
 */
function words(list: string, compounded = ''): RegExp {
  const all = list.trim().split(/\s+/)
  const spaced = all.filter((word) => scriptWithCases.test(word))
  const others = all.filter((word) => !scriptWithCases.test(word))
  return wordPattern([
    String.raw`(?<!\p{L})(?:${alternatives(spaced.join(' '))})`,
    ...compounded ? [String.raw`(?<!(?<!\p{L})(?!re)\p{L}{1,3})(?:${alternatives(compounded)})`] : [],
    ...others.length > 0 ? [alternatives(others.join(' '))] : [],
  ].join('|'), 'u')
}

function alternatives(list: string): string {
  return plainFirst(list).map((word) => word.replace(/\.\?/g, '[ _-]?').replace(/\.(?!\{)/g, "[\\s_+%'’-]{1,3}")).join('|')
}
