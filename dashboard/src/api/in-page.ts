import type { Account } from './generated/types.gen.ts'

/** The data of the session that the server has put into the page; undefined without a session. */
interface InPage {
  account: Account
  /** The stream of live events begins after this one, so that none is missed while the page loads. */
  lastEventId: string
}

const text = document.getElementById('session')?.textContent

const inPage = text ? JSON.parse(text) as InPage : undefined

export const accountInPage = inPage?.account

let lastEventId = inPage?.lastEventId

/** The id, for the first stream of the page alone. */
export function takeLastEventId(): string | undefined {
  const taken = lastEventId
  lastEventId = undefined
  return taken
}

/** The answer to a request that began before the scripts ran; undefined when there is none, or it was taken. */
export function takeEarlyAnswer({ method, url }: Request): Promise<Response> | undefined {
  const answer = method === 'GET' ? window.earlyAnswers?.get(url) : undefined
  window.earlyAnswers?.delete(url)
  return answer
}
