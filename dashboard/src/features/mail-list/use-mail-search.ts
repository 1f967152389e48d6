import { useTimeout } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { readMailSearch } from './mail-search.ts'
import type { MailSearch, Show } from './mail-search.ts'

const searchDelayMs = 200

/** The text of the search box, and the search and filter of the URL, which follows the box. */
export function useMailSearch() {
  const search: MailSearch = useSearch({ strict: false })
  const { q = '', show = 'all' } = search
  const navigate = useNavigate()
  const [text, setText] = useState(q)
  const [seen, setSeen] = useState(q)
  const [written, setWritten] = useState(q)
  if (q !== seen) {
    setSeen(q)
    if (q !== written) setText(q) // another link, or the way back
  }
  const write = (search: MailSearch) => {
    setWritten(search.q ?? '')
    void navigate({ to: '.', search: readMailSearch({ ...search }), replace: true })
  }
  const { start, clear } = useTimeout((typed: string) => write({ q: typed, show }), searchDelayMs)
  const apply = (search: MailSearch) => {
    clear()
    setText(search.q ?? '')
    write(search)
  }
  return {
    text, words: q, show, apply,
    type(typed: string) {
      setText(typed)
      clear()
      if (typed.trim() === '') write({ show }) // an emptied box shows all mails at once
      else start(typed.trim())
    },
    setShow: (chosen: Show) => apply({ q: text.trim(), show: chosen }),
    reset: () => apply({}),
  }
}
