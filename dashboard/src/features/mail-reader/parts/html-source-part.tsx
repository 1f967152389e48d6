import type { ReactNode } from 'react'
import classes from '../reader.module.css'
import { readerTexts } from '../texts.ts'
import { CodeView } from './code-view.tsx'

/** Comments, and tags with their name. */
const markup = /(<!--(?:[^-]|-(?!->))*(?:-->)?)|(<\/?[a-z][\w:-]*)((?:[^<>"']|"[^"<]*"|'[^'<]*')*)/gi

/** Further markup has no colours: each piece is an element of the page. */
const maxPieces = 5_000

/** The HTML of a mail, as text in colours. */
export const HtmlSourcePart = ({ html }: { html: string }) =>
  <CodeView text={html} label={readerTexts.html.shown} copyLabel={readerTexts.html.copy} draw={colour} />

function colour(html: string): ReactNode[] {
  const pieces: ReactNode[] = []
  let at = 0
  for (const { index, 0: text, 1: comment, 2: name, 3: attributes } of html.matchAll(markup)) {
    if (pieces.length > maxPieces) break
    pieces.push(html.slice(at, index))
    if (comment) pieces.push(<span key={index} className={classes['comment']}>{comment}</span>)
    else pieces.push(<span key={index} className={classes['tag']}>{name}</span>, <span key={-index - 1} className={classes['attributes']}>{attributes}</span>)
    at = index + text.length
  }
  return [...pieces, html.slice(at)]
}
