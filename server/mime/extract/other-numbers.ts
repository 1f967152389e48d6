import { stems } from './code-words.ts'

/** Words beside numbers that are no codes, in lower case. */

const numbered = `
  order invoice receipt tracking shipment parcel ticket case reference ref booking reservation fax
  hotline call dial zip postcode isbn iban vat tel telephone flight build version serial model item
  article sku quote total amount extension device.id room gate suite apartment apt ending endet ends terminada terminant terminato termina finit
  bestellung bestellnummer
  bestell-nr auftrag rechnung rechnungsnummer kundennummer vorgang sendung sendungsnummer telefon plz postleitzahl
  commande facture colis suivi référence dossier téléphone pedido factura envío referencia teléfono
  encomenda fatura ordine fattura spedizione telefono bestelling factuur zamówienie zamówienia
  faktura faktury objednávka faktúra beställning ordre tilaus sipariş rendelés számla comandă
  factură`

/** Labels of other numbers only when a number follows at once, or a word for "number": "for your account: 482913" may be a code. */
const holders = `
  account customer client member membership policy contract phone mobile card registration company user user.id username id
  konto kunde kunden kundin mitglied compte abonné adhérent cuenta cliente socio conta utente tessera klant rekening lid klient klienta
  konta účet účtu zákazník zákazníka kund medlem konton asiakas tili hesap müşteri cont client аккаунт аккаунта учётной.записи клиент
  клиента акаунт акаунта рахунок`

const numberedInOtherScripts = `
  заказ заказа заказу счёт счет счета накладной трек-номер телефон телефону замовлення рахунок 订单
  订单号 尾号 尾號 末尾 訂單 发票 快递单号 电话 客户 账户 账号 帳號 ご注文 注文番号 注文 請求書 請求番号 お問い合わせ番号 伝票番号 電話 お客様 アカウント 주문 주문번호
  송장번호 전화 계정 고객 طلب الطلب فاتورة الهاتف حساب الحساب
  הזמנה חשבונית טלפון חשבון ऑर्डर คำสั่งซื้อ đơn.hàng`

const numberWords = 'number|nummer|nr|no|num|id|code|numéro|número|numero|numer|č|číslo'
const untilCode = String.raw`[ \t:#.–—-]{0,4}\n?[ \t]{0,4}(?:\p{L}{1,5}[ :#.]{1,3})?$`

/** The label of a number that is not a code, at the end of a text. */
export const otherNumber = new RegExp([
  String.raw`(?:(?<!\p{L})(?:${stems(numbered)})(?:\s?(?:${numberWords}))?`,
  String.raw`|(?:${stems(holders)})\s?(?:${numberWords}))${untilCode}`,
  String.raw`|(?<!\p{L})(?:${stems(holders)})[ \t]{1,2}#?$`,
  String.raw`|(?:${stems(numberedInOtherScripts)})(?:номер|号|號|번호)?[^\p{L}\n]{0,6}\n?[ \t]{0,4}$`,
].join(''), 'u')

const units = `
  eur usd gbp chf sek nok dkk pln czk huf ron try inr jpy cny krw brl kr zł kč ft lei tl rs dollars
  euros euro pounds rub руб рублей грн 円 元 원 points punkte minutes minute mins min hours hour hrs
  days day seconds sec weeks months years minuten stunden tage minutos horas días heures jours минут
  часов дней km kg mb gb kb tb ms px people users items miles characters chars words steps credits coins lines pages`

/** A unit after a number, which makes it an amount; the name of a street, which makes it the number of a house. */
export const unitAfter = new RegExp([
  String.raw`^\s?(?:[%€$£¥₹₽₩₪₺฿°]|(?:${stems(units)})(?!\p{L}))`,
  String.raw`|^\s(?:[\p{L}.]{1,20}\s){1,3}?(?:street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|parkway|pkwy|highway|square)(?!\p{L})`,
].join(''), 'u')

/** The postal address of a company, of which a line may end a text: a number that stands alone below it is a postal code. */
export const postalAddress = new RegExp(String.raw`(?:straße|strasse|str\.|(?<!\p{L})(?:inc|ltd|llc|gmbh|corp|street|avenue|ave|road|rd|blvd|suite`
  + String.raw`|p\.o\. box|s\.a\.|postfach|calle|rue|via|ulica|ul\.))(?!\p{L})[^\n]{0,40}\s*(?:\n[^\n\d]{0,30})?\s*$`, 'u')
