import type { Page } from 'playwright-core'

/** Records the texts of all answers that a page gets, in their order. @returns a function that gives those that have ended so far */
export function recordAnswers(page: Page): () => Promise<string[]> {
  const answers: Promise<string>[] = []
  page.on('response', (response) => {
    // a stream of events does not end, and a redirect has no text
    if (!response.headers()['content-type']?.startsWith('text/event-stream')) answers.push(response.text().catch(() => ''))
  })
  return () => Promise.all(answers)
}
