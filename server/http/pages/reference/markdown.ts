import { escapeHtml } from '../../../domain/system-mail.ts'

/** @returns the id of the section of the page that a word of code names, such as `GET /api/v1/emails` */
export type FindSection = (code: string) => string | undefined

/** The id of a heading: `#rate-limit`. */
export const slugOf = (heading: string): string => heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** Converts the Markdown that descriptions of the document use: headings, paragraphs, lists, tables, blocks of code, `code`, bold. */
export const markdownToHtml = (text: string, find: FindSection): string =>
  text.trim().split(/\n{2,}/).map((block) => blockToHtml(block, find)).join('\n')

function blockToHtml(block: string, find: FindSection): string {
  const heading = /^##+ (.*)$/.exec(block)?.[1]
  if (heading) return `<h2 id="${slugOf(heading)}">${lineToHtml(heading, find)}</h2>`
  const code = /^```\w*\n([^]*?)\n?```$/.exec(block)?.[1]
  if (code) return `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`
  if (block.startsWith('|')) return tableToHtml(block, find)
  if (!block.startsWith('- ')) return `<p>${lineToHtml(block, find)}</p>`
  return `<ul>${block.split(/^- /m).slice(1).map((item) => `<li>${lineToHtml(item, find)}</li>`).join('')}</ul>`
}

function tableToHtml(block: string, find: FindSection): string {
  const [head, , ...rows] = block.split('\n').map((line) => line.split('|').slice(1, -1).map((cell) => lineToHtml(cell, find)))
  const row = (cells: string[], tag: string) => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  const body = rows.map((cells) => row(cells, 'td')).join('')
  return `<div class="scroll" tabindex="0"><table><thead>${row(head!, 'th')}</thead><tbody>${body}</tbody></table></div>`
}

/** Converts the text of a paragraph. */
export function lineToHtml(text: string, find: FindSection): string {
  return text.trim().replaceAll('\n', ' ').split(/`([^`]+)`/).map((part, i) => {
    if (i % 2 === 0) return escapeHtml(part).replaceAll(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
    const section = find(part)
    const code = `<code>${escapeHtml(part)}</code>`
    return section ? `<a href="#${section}">${code}</a>` : code
  }).join('')
}
