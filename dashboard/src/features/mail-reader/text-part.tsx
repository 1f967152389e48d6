import { Anchor, Text } from '@mantine/core'
import { formatBytes } from '../../ui/format-bytes.ts'
import { readLink } from './html/urls.ts'
import classes from './reader.module.css'
import { shownText } from './html/text-turns.ts'
import { readerTexts as texts } from './texts.ts'

/** Further links are shown as text. */
const maxLinks = 1_000

/** The plain text of a mail, with links of http and https. */
export function TextPart({ text }: { text: string }) {
  if (!text) return <Text size="sm" c="dimmed">{texts.noText}</Text>
  const shown = shownText(text)
  return (
    <>
      {text.length > shown.length && <Text size="sm" c="dimmed" mb="xs">{texts.cutText(formatBytes(shown.length))}</Text>}
      <div className={classes['text']} dir="auto">{withLinks(shown)}</div>
    </>
  )
}

/** Texts and, between them, links: those at odd places. Punctuation at the end of a URL belongs to the sentence. */
const withLinks = (text: string) => text.split(/(\bhttps?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}])/iu).map((piece, index) => {
  const link = index % 2 === 1 && index < 2 * maxLinks ? readLink(piece) : undefined
  return link ? <Anchor key={index} href={link} target="_blank" rel="noopener noreferrer" inherit><bdi>{piece}</bdi></Anchor> : piece
})
