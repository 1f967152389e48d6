const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

/** The text of HTML, without its elements. */
export const textOf = (html: string): string =>
  html.replaceAll(/<[^>]*>/g, '').replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!)

/** The HTML of the section of an operation or event in the page at `/docs`. */
export function sectionOf(page: string, operationId: string): string {
  const start = page.indexOf(`<article id="${operationId}"`)
  if (start < 0) throw new Error(`the page has no section of ${operationId}`)
  return page.slice(start, page.indexOf('</article>', start))
}

/** The samples of an operation by language, as the page has them without its script. */
export const samplesOf = (page: string, operationId: string): Record<string, string> => Object.fromEntries(
  [...sectionOf(page, operationId).matchAll(/ data-sample="(\w+)"[^>]*><code>([^]*?)<\/code>/g)].map(([, language, code]) => [language!, textOf(code!)]))
