import type { Candidate } from './code-boxes.ts'
import { anyOf, codeWord, digitWords, enterAnywhere, stems } from './code-words.ts'
import { wordPattern } from './word-pattern.ts'

/** Codes that stand in the subject alone, where the body asks for them: "Enter the digits from the subject line". */

/** Words for the subject of a mail. */
const subjectWord = wordPattern(String.raw`(?<!\p{L})(?:l['’]|dell['’]|nell['’])?(?:${anyOf(`
  subject(?!.to) betreff(?:zeile)? objet asunto assunto assumpte oggetto onderwerp(?:s?re[gë]\\p{L}{1,3})? ämne(?:t|sraden)? emne(?:t|linjen|feltet)? efnislín\\p{L}{1,4} aiherivi\\p{L}{0,4} otsik\\p{L}{1,5} temat(?:u|a|s)? temacie
  předmět\\p{L}{0,3} predmet\\p{L}{0,2} zadev[aeio] naslov[aui]? тем[аеыиіу](?:та)? тэм[аеы] наслов\\p{L}{0,3} tárgy\\p{L}{0,7} subiect\\p{L}{0,4} θέμα(?:τος)? konu\\p{L}{0,5} mövzu\\p{L}{0,5} mavzu\\p{L}{0,5} tem(?:a|os|oje) teema\\p{L}{0,5} gai(?:a|aren|ko)
  subjekti?n? subjek tajuk paksa kichwa tiêu.đề chủ.đề [pb]wnc ábhair тақырып\\p{L}{0,5} гарчиг\\p{L}{0,4}`)})(?!\p{L})|${anyOf(`
  (?<=נ)ושא موضوع عنوان.الرسالة विषय বিষয় பொருள விஷய విషయ หัวเรื่อง หัวข้อ 主题 主題 主旨 标题 標題 件名 제목 თემ სათაურ թեմայ վերնագ`)}`, 'u')

/** Words of a request to keep the subject, as the mails of a help desk have. */
const replyWord = /(?<!\p{L})(?:repl(?:y|ies|ying)|respon[ds]|answer|antwort|répon|rispond|odpow|ответ)/u

const searchedChars = 2_000
const sentence = /[^.!?。！？।։\n]+/gu

/** Whether the body asks for a number of the subject: one of its sentences has a word for the subject, and one for a code or digits. */
export function isAskedInBody(source: string, { end, kind }: Candidate): boolean {
  const bodyStart = source.indexOf('\n\n')
  if (kind !== 'digits' || end > bodyStart) return false
  const sentences = source.slice(bodyStart, bodyStart + searchedChars).toLowerCase().match(sentence) ?? []
  return sentences.some((text) => subjectWord.test(text) && !replyWord.test(text)
    && (text.search(codeWord) >= 0 || (digitsOf.test(text) && enterAnywhere.test(text))))
}

const digitsOf = wordPattern(`${digitWords}|(?<!\\p{L})(?:${stems('syfers rəqəm лічб digid digit díxit raqam цифр numbri')})|ارقام`, 'u')
