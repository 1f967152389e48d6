import { letterOrDigit } from './code-boxes.ts'
import type { Candidate } from './code-boxes.ts'
import { isCodeHeading } from './code-kinds.ts'
import { looksRandom } from './code-letters.ts'
import { stems } from './code-words.ts'
import { wordPattern } from './word-pattern.ts'

/** Maximum characters from a number up to the headings of its table. */
const maxHeadingDistance = 300

/** Returns what the heading of its column says a number is; undefined when it is in no table with a column for a code. */
export function headingOf(source: string, { start, end }: Candidate): 'code' | 'other' | undefined {
  const before = source.slice(Math.max(0, start - maxHeadingDistance), start)
  const lineStart = before.lastIndexOf('\n') + 1
  const line = before.slice(lineStart)
  const isFirst = !line.includes('\t') && !line.includes('  ')
  if (isFirst && !cellSeparator.test(source.slice(end, end + 2))) return undefined
  const column = cellsOf(line).length - 1
  for (const row of before.slice(0, Math.max(0, lineStart - 1)).split('\n').reverse()) {
    const cells = cellsOf(row)
    if (cells.length <= column || cells.length < 2) return undefined
    if (/\d(?:[ -]?\d){3}/.test(row)) continue // a row above
    if (isCodeHeading(cells[column]!)) return cells.some((cell) => articleHeading.test(cell)) ? 'other' : 'code'
    return cells.some(isCodeHeading) ? 'other' : undefined
  }
  return undefined
}

/** Headings of a list of articles, in which a code is that of an article. */
const articleHeading = wordPattern(String.raw`^\s*(?:items?|articles?|products?|sku|qty|quantity|price|unit price|units?|description|artikel\p{L}*|produkt|menge|anzahl`
  + String.raw`|(?:einzel)?preis|beschreibung|bezeichnung|produit|désignation|quantité|qté|prix|artículo|producto|descripción|cantidad|cant\.?|precio|articolo|prodotto`
  + String.raw`|descrizione|quantità|q\.tà|prezzo|artigo|produto|descrição|quantidade|qtd\.?|preço|aantal|prijs|omschrijving|ilość|cena|produkt|nazwa|množství`
  + String.raw`|товар|наименование|количество|кол-во|цена|adet|ürün|fiyat|商品|品名|数量|単価|价格|單價|상품|수량|가격)\s*$`, 'iu')

/** Between the cells of a table, in text made of HTML and in text that is laid out with spaces. */
const cellSeparator = /\t| {2,}/
const cellsOf = (row: string): string[] => row.trimStart().split(cellSeparator)

const numberOfItem = /^\P{L}{0,4}?\b\d{1,2}[.)]\s/u

/** Whether a number has a line of its own, perhaps with a button that copies it, or a row of codes. */
export function standsAlone(source: string, start: number, end: number): boolean {
  const before = source.slice(Math.max(0, start - 60), start)
  const after = source.slice(end, end + 60)
  const lineStart = before.lastIndexOf('\n')
  const lineEnd = after.indexOf('\n')
  if (lineStart < 0 && start > 60) return false
  if (lineEnd < 0 && source.length - end > 60) return false
  const parts = [before.slice(lineStart + 1).replace(numberOfItem, ''), lineEnd < 0 ? after : after.slice(0, lineEnd)]
  return !parts.some((part) => letterOrDigit.test(part.replace(copyButton, ''))) || (end - start >= 6 && isInRowOf(parts, source.slice(start, end)))
}

const copied = String.raw`(?:(?:to|the|this|your|le|el|o|il|in die|den|de|au|al)\s)*(?:${stems(`
  code codes otp pin código codice codul kode koden kod kodu kód kódot koodi код clipboard zwischenablage presse-papiers portapapeles appunti 验证码 驗證碼 代码
  コードを? 認証コードを? 코드 인증번호`)})`
const copyButton = wordPattern(String.raw`^[^\p{L}\d]*(?:${copied}\s?)?(?:${stems(`
  copy kopieren copier copiar copia kopiëren kopieer kopiera kopier kopioi kopiuj skopiuj zkopírovat kopírovat másolás kopyala copiați copiază копировать
  скопировать копіювати salin コピー(?:する)? 复制 複製 복사`)})(?:\s?${copied})?[^\p{L}\d]*$`, 'iu')

/** Whether all cells of a row have one shape, as in a table of backup codes. */
const isInRowOf = (parts: string[], code: string): boolean => parts.some((part) => cellSeparator.test(part))
  && parts.every((part) => part.split(cellSeparator).every((cell) => cell.trim() === '' || shapeOf(cell.trim()) === shapeOf(code)))

/** Letters and digits are alike in codes, but not in words. */
const shapeOf = (cell: string): string => /\d/.test(cell) ? cell.replace(/[a-z\d]/gi, '0') : cell.replace(/[a-z]/gi, 'a')

/** Whether a candidate follows a code in a list of such, as those for recovery: whatever the words around one say, they say of all. */
export function isNextOfList(source: string, last: Candidate, { start, end, kind, code }: Candidate): boolean {
  if (start - last.end > maxCharsInList || kind === 'password' || (kind === 'letters' && !looksRandom(code))) return false
  const between = source.slice(last.end, start)
  return betweenInList.test(between) && (between.includes('\n') || standsAlone(source, start, end)) && formOf(source.slice(last.start, last.end)) === formOf(source.slice(start, end))
}
const maxCharsInList = 24
/** White space with marks and the number of an item: "\n 2. ". */
const betweenInList = /^[^\p{L}\p{N}]*(?:\n|\t| {2})[^\p{L}\p{N}]*(?:\d{1,2}[.)][^\p{L}\p{N}]*)?$/u
const formOf = (code: string): string => code.replace(/[a-z\d]/gi, '0')
