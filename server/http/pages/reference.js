// @ts-check
// Runs in the browser, after the page of the reference: filter, language of samples, and calls.

const root = document.documentElement
const base = new URL('.', location.href).href.replace(/\/$/, '')
const { dialect = 'primary' } = root.dataset

/** Maximum characters of an answer that is coloured. */
const maxColoured = 100_000

/** The credentials of calls. The key is in no storage. */
const credentials = {
  key: '', hasSession: false, email: '', mode: sessionStorage.getItem('mayfly-mode') === 'test' ? 'test' : 'live',
  /** @type {{ mode: string, prefix: string | null }[]} newest first */
  keys: [],
}

/** @template {Element} T @param {string} selector @param {new () => T} type @param {ParentNode} [within] */
function find(selector, type, within = document) {
  const found = within.querySelector(selector)
  if (!(found instanceof type)) throw new Error(`${selector} is missing`)
  return found
}

/** @param {string} selector @param {ParentNode} [within] @returns {HTMLElement[]} */
const all = (selector, within = document) => Array.from(within.querySelectorAll(selector))

/** @template {keyof HTMLElementTagNameMap} Name @param {Name} name @param {Record<string, unknown>} [members] @param {(Node | string)[]} children */
function make(name, members = {}, ...children) {
  const element = document.createElement(name)
  Object.assign(element, members)
  element.append(...children)
  return element
}

for (const element of all('[hidden]:not(.stop)')) element.hidden = false
openMenu()
openFilter()
openSamples()
followReading()
void openCredentials()
for (const form of all('.run form')) form.addEventListener('submit', (event) => { event.preventDefault(); void submit(/** @type {HTMLFormElement} */ (form)) })
addEventListener('hashchange', followLink)
followLink()

/** Shows the section of a link. Links of the former page, such as `#/Emails/emails.get`, have the tag before the operation. */
function followLink() {
  const former = /^#\/([^/]+)(?:\/(.+))?$/.exec(location.hash)
  if (!former) return
  const id = former[2] ?? `tag-${decodeURIComponent(former[1] ?? '').toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
  if (document.getElementById(id)) location.replace(`#${id}`)
}

/** The contents are beside a wide page, and on a narrow one above it, folded. */
function openMenu() {
  const menu = find('.menu', HTMLDetailsElement)
  const wide = matchMedia('(min-width: 62rem)')
  const fit = () => { menu.open = wide.matches }
  fit()
  wide.addEventListener('change', fit)
  menu.dataset['ready'] = ''
  menu.addEventListener('click', ({ target }) => { if (!wide.matches && target instanceof Element && target.closest('li a')) menu.open = false })
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || wide.matches) return
    menu.open = false
    find('summary', HTMLElement, menu).focus()
  })
}

/** Filters the contents by all words, in the name of the group, the text of the link, and the head and description of the operation. */
function openFilter() {
  const input = find('#filter', HTMLInputElement)
  const found = find('#found', HTMLElement)
  const groups = all('.menu section').map((group) => ({ group, items: all('li', group) }))
  /** @type {Map<HTMLElement, string>} */
  const texts = new Map()
  /** @param {HTMLElement} item @param {HTMLElement} group */
  const textOf = (item, group) => {
    const id = find('a', HTMLAnchorElement, item).hash.slice(1)
    const article = document.getElementById(id)
    const parts = article ? all('header, .text > p, .text > ul, .text > .scroll', article) : []
    const text = [id, group.textContent, ...[item, ...parts].map(({ textContent }) => textContent)].join(' ').toLowerCase()
    texts.set(item, text)
    return text
  }
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    let count = 0
    for (const { group, items } of groups) {
      const title = find('.group', HTMLElement, group)
      for (const item of items) item.hidden = !words.every((word) => (texts.get(item) ?? textOf(item, title)).includes(word))
      const shown = items.filter(({ hidden }) => !hidden).length
      group.hidden = shown === 0
      count += shown
    }
    found.textContent = words.length === 0 ? '' : count === 0 ? 'Nothing has these words.' : `${count} found`
  })
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') all('.menu li:not([hidden]) a').find((link) => link.offsetParent)?.click()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target instanceof Element && event.target.closest('input, textarea, select')) return
    event.preventDefault()
    find('.menu', HTMLDetailsElement).open = true
    input.focus()
    input.select()
  })
}

/** Marks the section that is read in the contents. */
function followReading() {
  const links = new Map(all('.menu li a').map((link) => [/** @type {HTMLAnchorElement} */ (link).hash.slice(1), link]))
  const sections = [...links.keys()].flatMap((id) => document.getElementById(id) ?? [])
  let isWaiting = false
  /** @type {HTMLElement | undefined} */
  let current
  const mark = () => {
    isWaiting = false
    const line = innerHeight / 3
    // they are in the order of the page
    let [low, high] = [0, sections.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sections[middle]?.getBoundingClientRect().top ?? 0) <= line) low = middle + 1
      else high = middle
    }
    const link = links.get(sections[low - 1]?.id ?? '')
    if (link === current) return
    current?.removeAttribute('aria-current')
    current = link
    link?.setAttribute('aria-current', 'true')
    const nav = find('.menu > nav', HTMLElement)
    const place = link?.getBoundingClientRect()
    if (place?.height && (place.top < 130 || place.bottom > innerHeight - 20)) nav.scrollTop += place.top - innerHeight / 2
  }
  addEventListener('scroll', () => { if (!isWaiting) isWaiting = Boolean(requestAnimationFrame(mark)) }, { passive: true })
  mark()
}

/** Shows one language for all operations, with a button to copy, in colours. */
function openSamples() {
  /** @param {string} language */
  const choose = (language) => {
    root.dataset['chosen'] = language
    for (const button of all('[data-language]')) button.setAttribute('aria-pressed', String(button.dataset['language'] === language))
    for (const samples of all('.samples')) {
      const isThere = samples.querySelector(`[data-sample=${language}]`)
      samples.querySelector('[data-sample]')?.classList.toggle('only', !isThere)
      if (!isThere) samples.querySelector('[data-language]')?.setAttribute('aria-pressed', 'true')
    }
  }
  for (const block of all('.code')) {
    const copy = make('button', { type: 'button', className: 'copy', textContent: 'Copy' })
    copy.addEventListener('click', () => {
      const shown = all('pre', block).find((each) => each.offsetParent)
      copyText(shown?.textContent ?? '')
      copy.textContent = 'Copied'
      setTimeout(() => { copy.textContent = 'Copy' }, 2000)
    })
    find('header', HTMLElement, block).append(copy)
    block.addEventListener('click', ({ target }) => {
      if (!(target instanceof HTMLElement) || !target.dataset['language']) return
      const before = target.getBoundingClientRect().top
      localStorage.setItem('mayfly-sample', target.dataset['language'])
      choose(target.dataset['language'])
      scrollBy(0, target.getBoundingClientRect().top - before) // the lengths of the samples above have changed
    })
  }
  choose(localStorage.getItem('mayfly-sample') ?? 'curl')
  for (const fill of all('[data-fill=BASE_URL]')) fill.textContent = base
  if (!('highlights' in CSS)) return
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue
      seen.unobserve(target)
      for (const code of all('.code pre code', target)) colour(code)
    }
  }, { rootMargin: '300px' })
  for (const article of all('article')) seen.observe(article)
}

/** Colours code without elements. @param {HTMLElement} code */
function colour(code) {
  const kinds = ['name', 'text', 'remark', 'number']
  const words = /("(?:[^"\\\n]|\\.)*"(?=:))|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)|((?:\/\/|#) .*)|(\b(?:\d[\d_.]*|true|false|null|True|False|None|const|await|for|of|in|if|from|import|export|new|print)\b)/g
  const nodes = textNodes(code)
  /** @param {number} offset in the text of the code @returns {[Node, number]} */
  const placeOf = (offset) => {
    for (const node of nodes) {
      const length = node.textContent?.length ?? 0
      if (offset <= length) return [node, offset]
      offset -= length
    }
    return [code, 0]
  }
  for (const match of (code.textContent ?? '').matchAll(words)) {
    const kind = kinds[match.slice(1).findIndex(Boolean)] ?? 'text'
    const range = new Range()
    range.setStart(...placeOf(match.index))
    range.setEnd(...placeOf(match.index + match[0].length))
    if (!CSS.highlights.has(kind)) CSS.highlights.set(kind, new Highlight())
    CSS.highlights.get(kind)?.add(range)
  }
}

/** @param {Node} node @returns {Node[]} */
const textNodes = (node) => node.nodeType === 3 ? [node] : Array.from(node.childNodes).flatMap(textNodes)

/** Copies also over plain HTTP. @param {string} text */
function copyText(text) {
  const focused = document.activeElement
  const area = make('textarea', { value: text, readOnly: true, className: 'copied' })
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
}

/** Reads the session of the dashboard, if the browser has one, and shows whose data calls read and change. */
async function openCredentials() {
  const key = find('#key', HTMLInputElement)
  const mode = find('#mode', HTMLSelectElement)
  mode.value = credentials.mode
  key.addEventListener('input', () => { credentials.key = key.value.trim(); show() })
  mode.addEventListener('change', () => {
    credentials.mode = mode.value
    sessionStorage.setItem('mayfly-mode', mode.value)
    show()
  })
  find('.credentials', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault())
  show()
  const answer = await fetch(`${base}/docs/session`).then((found) => found.json(), () => ({})) // without a network, the page is still read
  if (!answer.hasSession) return
  credentials.hasSession = true
  new BroadcastChannel(`mayfly-account${base.slice(location.origin.length)}`).addEventListener('message', () => location.reload()) // the dashboard shows another account now
  /** @param {string} path */
  const read = (path) => fetch(`${base}/api/v1/${path}`, { headers: { 'X-Mayfly-Dialect': 'primary' } }).then((found) => found.ok ? found.json() : undefined)
  const [account, keys] = await Promise.all([read('account'), read('api-keys')])
  credentials.email = account?.data.email ?? ''
  credentials.keys = keys?.data ?? []
  show()

  function show() {
    for (const line of all('.as')) line.replaceChildren(`Runs ${caller()}. `, make('a', { href: '#mode', textContent: 'Change' }))
    if (credentials.email) find('.who', HTMLElement).textContent = `Operations of this page run with the session of ${credentials.email}, or with a key that you give here.`
    const prefix = credentials.email && credentials.keys.find((each) => each.mode === credentials.mode)?.prefix
    for (const fill of all('[data-fill=API_KEY]')) {
      fill.dataset['plain'] ??= fill.textContent ?? ''
      fill.textContent = prefix ? `${prefix}…` : fill.dataset['plain'].replace('svc_live_', `svc_${credentials.mode}_`)
    }
  }
}

function data() {
  const isTest = credentials.key ? credentials.key.startsWith('svc_test_') : credentials.mode === 'test'
  return isTest ? 'test data' : 'live data'
}

function caller() {
  if (!credentials.key && !credentials.hasSession) return 'without a session or key'
  return `as ${credentials.key ? 'the key that you gave' : credentials.email || 'the session of the dashboard'}, on ${data()}`
}

/** Calls the operation of a form, after a question when it changes something. @param {HTMLFormElement} form */
async function submit(form) {
  const { method = 'GET', path = '', title = '' } = form.dataset
  /** @type {Record<string, string>} */
  const headers = { 'X-Mayfly-Dialect': dialect }
  const query = new URLSearchParams()
  let filled = path
  for (const field of all('[data-in]', form)) {
    const { name, value } = /** @type {HTMLInputElement} */ (field)
    if (field.dataset['in'] === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value.trim()))
    else if (value !== '' && field.dataset['in'] === 'query') query.append(name, value)
    else if (value !== '') headers[name] = value
  }
  const body = form.querySelector('textarea')?.value
  if (body) headers['Content-Type'] = 'application/json'
  if (credentials.key) headers['Authorization'] = `Bearer ${credentials.key}`
  else headers['X-Mayfly-Mode'] = credentials.mode
  const address = filled + (query.size > 0 ? `?${query}` : '')
  if (method !== 'GET' && !await isConfirmed(`${title} on ${data()}?`, `${method} ${address} runs ${caller()}.`)) return
  const result = find('.result', HTMLElement, form)
  const stop = find('.stop', HTMLButtonElement, form)
  const ending = new AbortController()
  stop.hidden = false
  stop.onclick = () => ending.abort()
  result.replaceChildren(make('p', { textContent: 'Waiting for the answer …' }))
  try {
    await run(result, base + address, { method, headers, body: body || null, signal: ending.signal })
  } catch (error) {
    result.append(make('p', { className: 'wrong', textContent: ending.signal.aborted ? 'Stopped.' : `There was no answer: ${error}` }))
  } finally {
    stop.hidden = true
  }
}

/** Sends a request and shows its answer, a stream as it comes. @param {HTMLElement} result @param {string} url @param {RequestInit} request */
async function run(result, url, request) {
  const began = performance.now()
  const answer = await fetch(url, request)
  const time = Math.round(performance.now() - began)
  const code = make('code')
  const status = make('b', { className: `status s${String(answer.status)[0]}`, textContent: `${answer.status} ${answer.statusText}`.trim() })
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  result.replaceChildren(
    make('p', {}, status, ` ${time} ms`),
    make('details', { className: 'fold' }, make('summary', { textContent: 'Headers of the answer' }), make('pre', { tabIndex: 0 }, make('code', { textContent: headers }))),
    make('pre', { tabIndex: 0, className: 'body' }, code),
  )
  const type = answer.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream') && answer.body) {
    const decoder = new TextDecoder()
    const reader = answer.body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      code.append(decoder.decode(value, { stream: true }))
    }
  }
  if (/json|^text\/|^message\//.test(type)) {
    const text = await answer.text()
    code.textContent = type.includes('json') ? JSON.stringify(JSON.parse(text), null, 2) : text
    if ('highlights' in CSS && text.length < maxColoured) colour(code)
    return
  }
  const file = await answer.blob()
  code.textContent = `${file.size} bytes of ${file.type || 'an unknown type'}`
  result.append(make('a', { href: URL.createObjectURL(file), download: 'file', textContent: 'Save the file' }))
}

/** @param {string} title @param {string} text @returns {Promise<boolean>} */
function isConfirmed(title, text) {
  const dialog = find('#question', HTMLDialogElement)
  find('h2', HTMLElement, dialog).textContent = title
  find('form > p', HTMLElement, dialog).textContent = text
  dialog.returnValue = 'cancel'
  dialog.showModal()
  return new Promise((resolve) => dialog.addEventListener('close', () => resolve(dialog.returnValue === 'run'), { once: true }))
}
