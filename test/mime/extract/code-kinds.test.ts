import { expect } from 'chai'
import { findCodes } from '../../../server/mime/extract/codes.ts'
import { readMessage } from '../../../server/mime/read-message.ts'
import { code, found, none, testKinds } from './code-rows.ts'

const labelsOf = (list: string): string[] => list.trim().split(/\s+/).map((label) => label.replaceAll('_', ' '))

/** Labels of things that have a code, in nouns of no list of the extractor. */
const things = labelsOf(`
  Route_code Depot_code Vessel_code Crop_code Species_code Batch_code Desk_code Roster_code Sector_code Pump_code Routencode Depotcode Haltestellencode Rebsortencode Stallcode Strecken-Code Code_ligne Code_parcelle
  Code_rayon Code_barème Code_guichetier Código_de_parcela Código_de_ruta Código_de_finca Código_tarifa Codice_fermata Codice_particella Codice_reparto Código_da_linha Código_da_turma Código_do_lote Código_do_talhão Lijncode Perceelcode
  Stalcode Linjekod Åkerkod Avdelningskod Linjekode Rutekode Afdelingskode Reittikoodi Osastokoodi Lohkokoodi Kod_trasy Kod_działki Kod_wydziału Kód_trasy Kód_parcely Kód_oddelenia Kód_linky Útvonalkód Parcellakód Osztálykód
  Cod_traseu Cod_parcelă Cod_secție Код_маршрута Код_участка Код_кафедры Код_маршруту Код_ділянки Код_на_маршрута Код_на_парцела Шифра_руте Код_деонице Kod_rute Kod_parcele Koda_proge Koda_parcele Hat_kodu Parsel_kodu Bölüm_kodu
  Κωδικός_δρομολογίου Κωδικός_αγροτεμαχίου Κωδικός_τμήματος Maršruto_kodas Sklypo_kodas Maršruta_kods Zemesgabala_kods Liinikood Põllukood Kodi_i_linjës Kodi_i_parcelës رمز_الخط رمز_القسم رمز_القطعة کد_مسیر کد_قطعه קוד_קו קוד_חלקה
  קוד_מחלקה मार्ग_कोड विभाग_कोड খতিয়ান_কোড রুট_কোড รหัสเส้นทาง รหัสแปลง รหัสแผนก Mã_tuyến Mã_thửa_đất Mã_khoa Kode_rute Kode_lahan Kode_jurusan Kod_laluan Kod_jabatan 路線コード 区画コード 学科コード 노선코드 필지코드 학과_코드
  线路代码 地块代码 專業代碼 መስመር_ኮድ მარშრუტის_კოდი Երթուղու_կոդ Маршрут_коды`)

/** Labels of kinds that are known, of codes for a person. */
const known = labelsOf(`
  Verification_code Approval_code Unlock_code Pickup_code Gate_code Locker_code Pairing_code Invitation_code Freigabecode Abholcode Haustürcode Kopplungscode Zutrittscode Code_de_confirmation Code_de_livraison Code_portail Code_d’appairage
  Código_de_acceso Código_de_entrega Código_de_la_puerta Codice_di_ritiro Codice_portone Codice_di_sblocco Código_de_retirada Código_do_portão Bevestigingscode Ophaalcode Deurcode Säkerhetskod Hämtkod Portkod Sikkerhetskode Hentekode Dørkode
  Adgangskode Vahvistuskoodi Noutokoodi Ovikoodi Öryggiskóði Kod_dostępu Kod_odbioru Kod_do_bramy Ověřovací_kód Kód_k_vyzvednutí Přístupový_kód Overovací_kód Megerősítő_kód Átvételi_kód Kapukód Cod_de_verificare Cod_de_ridicare
  Код_подтверждения Код_получения Код_домофона Код_доступу Код_отримання Код_за_достъп Код_за_получаване Потврден_код Код_за_преузимање Sigurnosni_kod Kod_za_preuzimanje Potrditvena_koda Koda_za_prevzem Doğrulama_kodu Teslimat_kodu Kapı_kodu
  Κωδικός_επαλήθευσης Κωδικός_παραλαβής Κωδικός_πόρτας Patvirtinimo_kodas Atsiėmimo_kodas Apstiprinājuma_kods Saņemšanas_kods Kinnituskood Ukse_kood Kodi_i_verifikimit رمز_التحقق رمز_الاستلام رمز_الباب کد_تأیید کد_تحویل קוד_אימות קוד_איסוף
  קוד_לדלת सत्यापन_कोड पिकअप_कोड যাচাইকরণ_কোড รหัสยืนยัน รหัสรับพัสดุ Mã_xác_minh Mã_nhận_hàng Kode_verifikasi Kode_pengambilan Kod_pengesahan 確認コード 解錠コード 인증_코드 수령_코드 验证代码 确认代码 የማረጋገጫ_ኮድ დადასტურების_კოდი Հաստատման_կոդ Растау_коды`)

testKinds('Kinds of codes', {
  'are none of a thing': none(things.flatMap((label) => [`${label}: 604815`, `${label} 604815`, `No. 12/2026\n\n${label}\n604815\n82.40`, `${label}\t604815\nTotal\t82.40`])),
  'are those that a person types or shows': found(known.flatMap((label) => [`${label}: ${code}`, `${label}\n\n${code}`]), 'Info'),
  'are first, and alone, beside those of things': found(things.flatMap((label) => [`${label}: 771204\nVerification code: ${code}`, `Your code: ${code}\n${label}: 771204`])),
  'are told by other words of the mail': found([
    `Enter your Norvik code ${code} in the app.`, `Norvik code: ${code}\nThis code expires in 10 minutes.`, `Norvik code: ${code}\nDo not share it.`, `Codice Norvik: ${code}\nNon condividerlo con nessuno.`,
    `Norvik-Code: ${code}\nDer Code ist 10 Minuten gültig.`, `Код Норвик: ${code}\nНикому не сообщайте.`, `Norvik kodu: ${code}\nKimseyle paylaşmayın.`, `ノルビクコード：${code}\n他人に教えないでください。`,
  ], 'Norvik'),
  'are those of a name': found([
    `Your Norvik code is ${code}`, `Votre code Norvik est ${code}`, `Tu código Norvik: ${code}`, `Ваш код Норвик: ${code}`, `Your NORVIK code: ${code}`, `Ihr Deutsche Norvik Code: ${code}`, `Il tuo codice di Norvik: ${code}`,
  ], 'Info'),
  'are none of an abbreviation': none(['Codice CP: 604815', 'Kod PKWN: 604815', 'Código IRS 604815', 'The EAN code 604815 is on the box.', 'Kód IČP: 604815']),
  'are none of an error, a postal code or an offer, also beside words for signing in': none([
    'Sign-in failed. Error code: 604815', 'Ihre Anmeldung ist fehlgeschlagen. Fehlercode: 604815', 'Confirm your address: postal code 604815', 'Verify your account. Promo code SUMMER26', 'Conferma il tuo account. Codice errore 604815',
    'Authentication failed: code=604815', 'Подтвердите адрес. Почтовый индекс, код: почтовый код 604815',
  ]),
  'are no key in a program': none(['{"status": 500, "code": 604815, "message": "charge failed"}', 'send({ code: 604815, message: \'gone\' })', 'Log in to see it: {\\"code\\": 604815}', 'reply({ ok: false, code: 604815 })']),
  'are none at a number behind that of a label': none(['Codice di viaggio: 4481209774\nTreno 6048, posto 12A', 'Member code: 4481209774, desk 6048']),
  'are those of an account that is to be activated': found([
    `Mã kích hoạt tài khoản: ${code}`, `Mã kích hoạt tài khoản của anh là: ${code}`, `Mã xác thực tài khoản: ${code}`, `رمز تفعيل الحساب: ${code}`, `رمز تأكيد الحساب: ${code}`, `کد فعال‌سازی حساب: ${code}`,
    `קוד הפעלת החשבון: ${code}`, `קוד הפעלת החשבון שלך: ${code}`, `Account activation code: ${code}`, `Code d’activation du compte : ${code}`, `Código de activación de la cuenta: ${code}`, `Κωδικός ενεργοποίησης λογαριασμού: ${code}`,
    `Äre Bestätegungscode ass ${code}.`, `Ձեր նույնականացման կոդը՝ ${code}`, `Ձեր մեկանգամյա գաղտնաբառը՝ ${code}`, `Ձեր մեկանգամյա գաղտնաբառն է՝ ${code}։`, `ናይ መረጋገጺ ኮድኩም ${code} እዩ።`, 'Ikhowudi yakho yokuqinisekisa ngu-604 815.',
  ], 'Info'),
  'follow the purpose of a password, and are none of a helpline below': found([
    `Tu clave para confirmar el pago de 64,90 € en RENFE con la tarjeta terminada en 3307 es ${code}.`, `Sua senha para entrar é ${code}.`, `您的保安編碼為 ${code}。請勿向任何人透露此編碼。`, `请在10分钟内输入保安编码 ${code}`,
    `آپ کا تصدیقی کوڈ ہے:\n${code}\nیہ کوڈ 5 منٹ تک کارآمد ہے۔ کسی کے ساتھ شیئر نہ کریں۔\nہیلپ لائن: 3737`,
    `आपका सत्यापन कोड है:\n${code}\nयह कोड 10 मिनट के लिए मान्य है। इसे किसी के साथ साझा न करें।\nसहायता: 14646`,
    `আপনার যাচাইকরণ কোড:\n${code}\nকোডটির মেয়াদ ৫ মিনিট। কোডটি কারো সাথে শেয়ার করবেন না।\nহেল্পলাইন ১৬২৪৭`,
  ], 'Info'),
  'have letters there, too': ['Mã kích hoạt tài khoản của anh là', 'Κωδικός ενεργοποίησης λογαριασμού', 'رمز تفعيل الحساب'].map((label) => ['V7K2Q9', 'Info', `${label}: V7K2Q9`]),
  'are found below a label of a thing where they are asked for': found([`Member code: 771204\nEnter ${code} to sign in.`, `Codice socio: 771204\nInserisci ${code} per accedere.`]),
})

describe('Kinds of codes', () => {
  it('are those of the sender', () => {
    expect(findCodes('Info', `Norvik code: ${code}`)).to.deep.equal([])
    for (const [from, label] of [['Banque Opale', 'Code banque'], ['Ngân hàng Biển Đông', 'Mã ngân hàng'], ['Banco Norte', 'Código banco'], ['Bank Quayside', 'Bank code'], ['Produit Net', 'Code produit']] as const) {
      expect(findCodes('Info', `${label}: ${code}`, `${from} <a@mail.example>`.toLowerCase()), from).to.deep.equal([])
    }
    for (const from of ['Norvik <a@mail.example>', 'Norvik Bank <a@mail.example>', 'Team <no-reply@norvik.example>', 'Team <no-reply@mail.norvik.example>']) {
      const raw = `From: ${from}\r\nSubject: Info\r\nContent-Type: text/plain\r\n\r\nNorvik code: ${code}\r\nMember code: 771204\r\n`
      expect(readMessage(Buffer.from(raw)).codes, from).to.deep.equal([code])
    }
  })
})
