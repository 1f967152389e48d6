export interface Anchor {
  href: string
  text: string
  isButton: boolean
  /** Index in the text of the page, before white space, as long as the text has its invisible characters. */
  start: number
  end: number
}

/** The visible text and the links of an HTML body. */
export interface HtmlPage {
  /** With tabs between the cells of a table. */
  text: string
  anchors: Anchor[]
  /** The URL of its `<base>`, '' without one. */
  baseUrl: string
  /** Whether it also has text that styles or attributes hide. */
  hasHiddenText: boolean
}
