import type {} from './language.ts'

/**
 * Runs before the page is painted, as a file of its own that may import nothing: sets the colours and the language that the user has
 * chosen, and begins to load the texts of that, for `language.ts`, and the first data of the page Mail, for `api/session.ts`.
 */
const chosen = localStorage.getItem('mantine-color-scheme-value')
const isDark = chosen === 'dark' || chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches
document.documentElement.dataset['mantineColorScheme'] = isDark ? 'dark' : 'light'

const script = document.currentScript as HTMLScriptElement
const wanted = [localStorage.getItem('mayfly-language') ?? '', ...navigator.languages].map((each) => /[a-z]+/.exec(each)?.[0] ?? '')
if (wanted.find((each) => ['en', 'de'].includes(each)) === 'de') {
  document.documentElement.lang = 'de'
  const failed = () => { document.documentElement.lang = 'en' }
  window.translation = import(/* @vite-ignore */ script.dataset['german']!).then(({ german }) => german, failed)
}

const base = new URL('..', script.src)
const [page, addressId = 'all'] = location.pathname.slice(base.pathname.length).split('/')
const isLive = sessionStorage.getItem('mayfly-mode') !== 'test'
const answers = new Map<string, Promise<Response>>()
window.earlyAnswers = answers
if (document.getElementById('session') && isLive && ['', 'mail'].includes(page!) && !location.search) {
  const isAll = addressId === '' || addressId === 'all'
  begin('addresses?limit=100')
  begin(isAll ? 'emails?limit=50' : `emails?limit=50&address_id=${addressId}`)
  begin('emails?q=is%3Aunread&limit=1')
  if (!isAll) begin(`addresses/${addressId}`)
}

function begin(path: string) {
  const url = new URL(`api/v1/${path}`, base).href
  const answer = fetch(url, { headers: { 'x-mayfly-mode': 'live' } })
  answer.catch(() => {}) // shown where it is used
  answers.set(url, answer)
}

declare global {
  interface Window {
    /** Answers to requests that began before the scripts of the page ran, by URL. Each is used once. */
    earlyAnswers?: Map<string, Promise<Response>>
  }
}
