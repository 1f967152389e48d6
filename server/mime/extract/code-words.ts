/**
 * Words for a one-time code, in lower case. These also match at the end of a compound (Bestätigungscode, engångskod) and with a short
 * ending (kodunuz, codes).
 */
const compounded = `
  codes? code codul codice codici código códigos codigo kode koden kod kodu kodun kodunuz kodem kodas
  kods kodą kód kódem kódja kódod kodi koodi koodisi koodin passcode passord password passwort kennwort
  losenord lösenord adgangskode heslo jelszó tunnusluku wachtwoord`

const whole = `
  otp totp pin tan cod mã token hasło salasana senha clave contraseña şifre şifreniz parola parolă
  jelszava sandi`

const otherScripts = `
  код кода кодом коду пароль пин пін κωδικός κωδικό קוד סיסמה קוד־אימות رمز الرمز كود الكود کد رمزعبور
  कोड ओटीपी কোড ওটিপি รหัส குறியீடு కోడ్
  验证码 驗證碼 校验码 校驗碼 动态码 動態碼 认证码 認證碼 确认码 確認碼 动态密码 口令 代码 コード 認証番号
  確認番号 暗証番号 ワンタイムパスワード パスワード 認証キー 인증번호 인증코드 코드 확인번호 보안번호 승인번호 비밀번호`

/** Words before "code" that make another kind of code: a voucher, a postal code, an error code. */
const otherKinds = `
  card promo promotion promotional coupon discount voucher gift reward referral zip post postal country
  area error status source dress qr bar tracking booking reservation product item article sku vat tax
  swift sort bank building color colour dial airport currency language invoice order offer sale http
  exit gutschein rabatt aktions werbe postleit promotie kortings descuento promocional postal desconto
  sconto postale avaro rabat rabatowy slevový pocztowy rabattkod indirim posta alennus kedvezmény товара
  скидку`

const stems = (list: string): string => list.trim().split(/\s+/).sort((a, b) => b.length - a.length).join('|')

const wordsBehind = [
  'postal', 'promocional', 'promo', 'promotionnel', 'de descuento', 'de desconto', 'de réduction', 'sconto',
  'postale', 'rabatowy', 'pocztowy', 'of conduct', 'review', 'base', 'red',
].join('|')

/** A word for a one-time code, in a short piece of text in lower case. Searched from `lastIndex` on: matchAll makes a copy each time. */
export const codeWord = new RegExp([
  // checks first that a word begins here: the lookbehind takes longer
  String.raw`(?=${stems(compounded)}|${stems(whole)})(?<!(?:${stems(otherKinds)})[\s-]?|\b(?:uni|de|en|ko|op))`,
  String.raw`(?:${stems(compounded)}|(?<!\p{L})(?:${stems(whole)}))(?!\p{Script=Latin}|\d)`,
  String.raw`(?!\s(?:${wordsBehind}))`,
  String.raw`|(?<!промо|почтовый )(?:${stems(otherScripts)})`,
].join(''), 'gu')

/** Words for signing in: a bare number near them is a code, also without a word for it. */
export const signInWord = new RegExp(stems(`
  verif sign.in signing.in log.in login logging.in authenticat two-factor 2fa one-time anmeld
  verifizier bestätig connexion connecter vérifi iniciar.sesión verifica accede accedi entrar
  inloggen verifieer zalogowa weryfik logga.in přihláš вход войти подтвержд 登录 登入 验证 驗證 ログイン 認証 로그인
  인증 تحقق`), 'u')

const numbered = `
  order invoice receipt tracking shipment parcel ticket case reference ref booking reservation fax
  hotline call dial zip postcode isbn iban vat tel telephone flight build version serial model item
  article sku quote total amount ending endet terminada terminant terminato bestellung bestellnummer
  bestell-nr auftrag rechnung rechnungsnummer kundennummer vorgang sendung sendungsnummer telefon
  commande facture colis suivi référence dossier téléphone pedido factura envío referencia teléfono
  encomenda fatura ordine fattura spedizione telefono bestelling factuur zamówienie zamówienia
  faktura faktury objednávka faktúra beställning ordre tilaus sipariş rendelés számla comandă
  factură`

/** Labels of other numbers only when a word for "number" follows: "for your account: 482913" may be a code. */
const holders = `
  account customer client member membership policy contract phone mobile device card registration
  company`

const numberedInOtherScripts = `
  заказ заказа заказу счёт счет счета накладной трек-номер телефон телефону замовлення рахунок 订单
  订单号 訂單 发票 快递单号 电话 ご注文 注文番号 注文 請求書 請求番号 お問い合わせ番号 伝票番号 電話 주문 주문번호 송장번호 전화 طلب الطلب فاتورة الهاتف
  הזמנה חשבונית טלפון ऑर्डर คำสั่งซื้อ đơn.hàng`

const numberWords = 'number|nummer|nr|no|num|id|code|numéro|número|numero|numer|č|číslo'
const untilCode = String.raw`[ \t:#.–—-]{0,4}\n?[ \t]{0,4}(?:\p{L}{1,5}[ :#.]{1,3})?$`

/** The label of a number that is not a code, at the end of a text. */
export const otherNumber = new RegExp([
  String.raw`(?:(?:${stems(numbered)})(?:\s?(?:${numberWords}))?`,
  String.raw`|(?:${stems(holders)})\s?(?:${numberWords}))${untilCode}`,
  String.raw`|(?:${stems(numberedInOtherScripts)})(?:номер|号|號|번호)?[^\p{L}\n]{0,6}\n?[ \t]{0,4}$`,
].join(''), 'u')

const units = `
  eur usd gbp chf sek nok dkk pln czk huf ron try inr jpy cny krw brl kr zł kč ft lei tl rs dollars
  euros euro pounds rub руб рублей грн 円 元 원 points punkte minutes minute mins min hours hour hrs
  days day seconds sec weeks months years minuten stunden tage minutos horas días heures jours минут
  часов дней km kg mb gb kb tb ms px people users items miles`

/** A unit after a number, which makes it an amount. */
export const unitAfter = new RegExp(String.raw`^\s?(?:[%€$£¥₹₽₩₪₺฿°]|(?:${stems(units)})(?!\p{L}))`, 'u')
