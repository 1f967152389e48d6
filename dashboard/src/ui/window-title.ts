import { texts } from '../texts.ts'

let page = ''
let unread = 0

/** Sets the title of the window. */
export function setPageTitle(title: string) {
  page = title
  show()
}

/** The number before the title; none for 0. */
export function setUnread(count: number) {
  unread = count
  show()
}

function show() {
  if (page) document.title = `${unread > 0 ? `(${unread}) ` : ''}${page} · ${texts.product}`
}
