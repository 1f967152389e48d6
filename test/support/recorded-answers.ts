import type { Page } from 'playwright-core'

declare global {
  interface Window {
    recordAnswer(text: string): Promise<void>
  }
}

/** Records the text of each answer that `fetch` gets, before the page has it, from now on and after a reload; but no streams. */
export async function recordAnswers(page: Page): Promise<string[]> {
  const answers: string[] = []
  await page.exposeFunction('recordAnswer', (text: string) => { answers.push(text) })
  await page.addInitScript(recordFetch)
  await page.evaluate(recordFetch)
  return answers
}

function recordFetch() {
  const { fetch } = window
  window.fetch = async (...parameters) => {
    const response = await fetch(...parameters)
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) await window.recordAnswer(await response.clone().text())
    return response
  }
}
