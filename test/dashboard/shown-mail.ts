/** Functions that tests run in the page of the dashboard, while it shows a mail. */

/** @returns all that a sanitised mail must not have */
export function findUnsafeParts(): string[] {
  const frame = document.querySelector<HTMLIFrameElement>('iframe[title=Message]')!
  const shown = frame.contentDocument!
  const found: string[] = []
  for (const [name, scope] of Object.entries({ page: window, frame: frame.contentWindow! })) {
    if ('pwned' in scope) found.push(`a script has run in the ${name}`)
  }
  if (Object.prototype.toString.call(shown.body) !== '[object HTMLBodyElement]') found.push('document.body is hidden')
  if (typeof shown.createElement !== 'function') found.push('document.createElement is hidden')
  if (frame.offsetHeight > 20_000) found.push(`the frame is ${frame.offsetHeight} px high`)
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways')
  const metas = Array.from(shown.querySelectorAll('meta'), (meta) => meta.httpEquiv || meta.name || 'charset').join()
  if (metas !== 'Content-Security-Policy,charset,referrer,x-dns-prefetch-control,color-scheme') found.push(`meta ${metas}`)
  if (shown.querySelectorAll('base').length !== 1 || shown.baseURI.startsWith('http://tracker')) found.push('base')
  const forbidden = 'script, form, input, button, select, textarea, svg, math, iframe, frame, frameset, object, embed, link, video, audio, source,' +
    'track, picture, template, noscript, dialog, portal, marquee'
  for (const element of shown.querySelectorAll('*')) {
    if (element.matches(forbidden)) found.push(`<${element.localName}>`)
    for (const { name, value } of element.attributes) {
      if (/^on|^(?:srcset|ping|action|formaction|autofocus|poster|srcdoc|popover|tabindex|is|xlink:href)$/.test(name)) found.push(`${element.localName} ${name}=${value}`)
    }
    if (element.hasAttribute('href')) {
      const href = element.getAttribute('href')!
      if (!/^(?:https?:|mailto:|#)/.test(href)) found.push(`href ${href}`)
      if (!href.startsWith('#') && (element.getAttribute('target') !== '_blank' || element.getAttribute('rel') !== 'noopener noreferrer')) found.push(`target of ${href}`)
    }
  }
  for (const { name } of frame.contentWindow!.performance.getEntriesByType('resource')) {
    if (/^https?:/.test(name) && name.startsWith(location.origin)) found.push(`loaded ${name}`)
  }
  return [...new Set(found)].slice(0, 10)
}

/** @returns the page without the mail and the number of unread ones, to be compared: title, heading, navigation, the styles of all */
export function snapshotPage(): string {
  const styleOf = (element: Element) => {
    const { display, color, backgroundColor, fontSize, visibility } = getComputedStyle(element)
    return { display, color, backgroundColor, fontSize, visibility }
  }
  const heading = document.querySelector('h1')
  return JSON.stringify({
    title: document.title.replace(/^\(\d+\) /, ''),
    heading: heading?.textContent,
    navigation: document.querySelector('nav')?.textContent.replaceAll(/\d/g, ''),
    head: document.head.innerHTML.replace(/<title>\(\d+\) /, '<title>'),
    styles: [document.documentElement, document.body, heading, document.querySelector('nav'), document.querySelector('main')]
      .map((element) => element && styleOf(element)),
    frames: document.querySelectorAll('iframe').length,
  })
}

/** Catches the next frame that the dashboard prints: `document.title` becomes the sandbox and the HTML of the printed frame, as JSON. */
export function catchPrint(): void {
  const setPrint = ({ target }: Event) => {
    if (!(target instanceof HTMLIFrameElement) || !target.sandbox.contains('allow-modals')) return
    document.removeEventListener('load', setPrint, true)
    const { body } = target.contentDocument!
    target.contentWindow!.print = () => {
      document.title = JSON.stringify({ sandbox: target.getAttribute('sandbox'), text: body.textContent, html: body.innerHTML })
    }
  }
  document.addEventListener('load', setPrint, true) // in the capture phase: the dashboard may print within its own listener
}
