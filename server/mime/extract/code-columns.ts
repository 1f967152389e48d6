import type { Candidate } from './code-boxes.ts'
import { isCodeHeading } from './code-kinds.ts'

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
    if (/\d{4}/.test(row)) continue // a row above
    if (isCodeHeading(cells[column]!)) return cells.some((cell) => articleHeading.test(cell)) ? 'other' : 'code'
    return cells.some(isCodeHeading) ? 'other' : undefined
  }
  return undefined
}

/** Headings of a list of articles, in which a code is that of an article. */
const articleHeading = new RegExp(String.raw`^\s*(?:items?|articles?|products?|sku|qty|quantity|price|unit price|units?|description|artikel\p{L}*|produkt|menge|anzahl`
  + String.raw`|(?:einzel)?preis|beschreibung|bezeichnung|produit|désignation|quantité|qté|prix|artículo|producto|descripción|cantidad|cant\.?|precio|articolo|prodotto`
  + String.raw`|descrizione|quantità|q\.tà|prezzo|artigo|produto|descrição|quantidade|qtd\.?|preço|aantal|prijs|omschrijving|ilość|cena|produkt|nazwa|množství`
  + String.raw`|товар|наименование|количество|кол-во|цена|adet|ürün|fiyat|商品|品名|数量|単価|价格|單價|상품|수량|가격)\s*$`, 'iu')

/** Between the cells of a table, in text made of HTML and in text that is laid out with spaces. */
export const cellSeparator = /\t| {2,}/
const cellsOf = (row: string): string[] => row.trimStart().split(cellSeparator)
