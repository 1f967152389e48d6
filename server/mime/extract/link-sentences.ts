import { endOfLast } from './last-match.ts'

/** Where an anchor stands in the text of its page. Invisible characters of the text may have been removed since. */
export interface LinkPlace {
  /** The end of the anchor before it. */
  from: number
  /** Before white space. */
  start: number
}

/** Whether the text of a link, in lower case, says nothing about its purpose: "here", "click on this link". */
export function isNeutralLabel(label: string): boolean {
  if (label.length > 60) return false
  const words = label.match(/[\p{L}\p{M}]+/gu)
  return words !== null && words.every((word) => neutralWords.has(word) || neutralScripts.test(word))
}

const maxBefore = 200
const maxAfter = 120

/** Maximum invisible characters before a link that were removed from a text. */
const maxRemoved = 500

/**
 * Returns the sentence around a link, and the text before it, since the link before it. A sentence without words before the link on its
 * line, such as that of a link in a paragraph of its own, begins with the sentence before it.
 */
export function sentenceAround(text: string, label: string, { from, start }: LinkPlace): { lead: string, before: string, after: string } {
  const first = Math.max(0, start - maxRemoved - maxBefore)
  const around = text.slice(first, start + 2 + label.length)
  const at = around.lastIndexOf(label)
  if (at < 0) return { lead: '', before: '', after: '' }
  const removed = Math.max(0, start - first - at)
  const lead = around.slice(Math.max(0, at - maxBefore, from - removed - first), at).trimEnd()
  const after = text.slice(first + at + label.length, first + at + label.length + maxAfter)
  return { lead, before: lead.slice(Math.max(0, endOfLast(sentenceEnd, lead))), after: /^[^\n.!?。！？।]*/u.exec(after)![0] }
}

/** The end of a sentence within a text. */
const sentenceEnd = /(?:[.!?]\s+|[。！？।]|\n)\s*(?=[^\s])/gu

const neutralWords = new Set(`
  here click tap press please on the this following link button url page website site
  hier klicken klick klicke sie bitte auf den diesen folgenden dem diesem link schaltfläche button seite jetzt
  ici cliquez clique cliquer sur ce le lien suivant bouton en suivant page
  aquí aqui haz haga hacer clic pulsa pulse pincha presiona el este esta enlace enlaces siguiente botón en
  clica clicar neste nesse este esse botão seguinte ligação no toque
  qui clicca cliccare cliccando su questo collegamento il pulsante seguente di
  klik hier op deze de onderstaande knop dit
  tutaj kliknij tu w ten poniższy odnośnik przycisk naciśnij
  zde klikněte klikni sem na tento odkaz tlačítko kliknite tento tu sem
  här klicka på den länk länken denna denne
  her klikk klikka trykk trykk linket lenken lenke dette
  tästä klikkaa napsauta tätä tämä linkki linkkiä paina
  buraya tıklayın tıklayınız tıkla buradan bu bağlantıya bağlantı bağlantıyı linke buradan
  ide kattintson kattints itt erre linkre linket
  aici faceți faceti click pe acest linkul buton apasă apăsați
  здесь сюда нажмите нажать нажми кликните перейдите по этой этой ссылке ссылка ссылку ссылки тут кнопку на эту перейти
  тут натисніть сюди за цим посиланням посилання перейдіть
  тук кликнете натиснете върху този линк линка връзка връзката
  εδώ κάντε κλικ πατήστε σε αυτόν τον σύνδεσμο
  ovdje ovde kliknite na ovaj link poveznicu tukaj povezavo
  siin klõpsake siia vajutage linki
  šeit spiediet noklikšķiniet saites čia spustelėkite paspauskite nuorodą
  هنا اضغط انقر على هذا الرابط اینجا کلیک کنید لینک یہاں کلک کریں
  כאן לחץ לחצו על הקישור קישור זה
  यहाँ यहां क्लिक करें लिंक इस पर এখানে ক্লিক করুন লিঙ্ক
  đây vào nhấp nhấn bấm liên kết này tại ở
  sini klik di ini tautan pautan disini hapa bofya kiungo`.trim().split(/\s+/))

/** The same in scripts without spaces between words. */
const neutralScripts = /^(?:こちら|ここ|この|リンク|クリック|ボタン|から|して|ください|を|の|へ|に|点击|點擊|此处|此處|这里|這裡|这个|這個|此|链接|連結|請|请|按|按钮|여기|여기서|를|을|이|링크|클릭|버튼|하세요|해|주세요|คลิก|ที่นี่|ลิงก์|ลิงค์|นี้|กด|ที่)+$/u
