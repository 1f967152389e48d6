import { createAccount } from '../../server/domain/accounts.ts'
import { createSignInLink } from '../../server/domain/sign-in-links.ts'
import type { Session } from '../../server/contract/types.gen.ts'
import type { Plan } from '../../server/store/schema/values.ts'
import type { ApiAnswer, TestApp } from './app.ts'

/** Headers that browsers send with the requests of pages of the server. */
export const sameOrigin = { 'sec-fetch-site': 'same-origin' }

export interface TestSession {
  email: string
  session: Session
  /** `mayfly=…`, as the browser sends it. */
  cookie: string
  /** The whole header `Set-Cookie`. */
  setCookie: string
  /** Calls the API from a page of the server. */
  api<T = any>(method: string, path: string, options?: { body?: unknown, headers?: Record<string, string> }): Promise<ApiAnswer<T>>
}

/** The token of a new link of the operator. */
export async function newToken({ app }: TestApp, email: string): Promise<string> {
  const { url } = await createSignInLink(app.db, app.baseUrl(), email)
  return url.split('#')[1]!
}

/** Signs in with a link. @param headers such as the cookie of another session */
export const useToken = (app: TestApp, token: string, headers: Record<string, string> = {}): Promise<ApiAnswer> =>
  app.api('POST', '/sessions', { key: null, body: { token }, headers: { ...sameOrigin, ...headers } })

let accounts = 0

/** Signs in to an account, or to a new one. */
export async function signIn(
  app: TestApp, { email, plan = 'business', headers = {} }: { email?: string, plan?: Plan, headers?: Record<string, string> } = {},
): Promise<TestSession> {
  const account = email ?? (await createAccount(app.app.db, `s${++accounts}-${app.app.db.newId()}@example.org`, plan)).email
  return sessionOf(app, account, await useToken(app, await newToken(app, account), headers))
}

/** The session that an answer begins. */
export function sessionOf(app: TestApp, email: string, answer: ApiAnswer): TestSession {
  if (answer.status !== 201) throw new Error(`sign-in was answered ${answer.status}`)
  const setCookie = answer.headers.get('set-cookie')!
  const [cookie] = setCookie.split(';') as [string]
  return {
    email, session: answer.body.data, cookie, setCookie,
    api: (method, path, options = {}) =>
      app.api(method, path, { ...options, key: null, headers: { cookie, ...sameOrigin, ...options.headers } }),
  }
}
