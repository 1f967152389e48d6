import { useEffect, useState } from 'react'
import { useAccount } from './account.ts'

/** In the storage of the tab: the texts of forms when its session ended, and the account. */
const storageKey = 'mayfly-drafts'
const open = new Map<string, string>()
let kept: Map<string, string> | undefined

/** Keeps the texts of open forms while the page is left for signing in. */
export function openDrafts(email: string) {
  const texts = [...open].filter(([, text]) => text !== '')
  sessionStorage.setItem(storageKey, JSON.stringify({ email, texts }))
}

/**
 * The text of a field, as `useState` has it. After a sign-in that followed the end of a session, it is the text that was typed before.
 * @param name of the form and the field
 */
export function useDraft(name: string, initial = ''): [string, (text: string) => void] {
  const { email } = useAccount()
  const [text, setText] = useState(() => readKept(email).get(name) ?? initial)
  useEffect(() => {
    kept?.delete(name)
    open.set(name, text)
    return () => { open.delete(name) }
  }, [name, text])
  return [text, setText]
}

/** Reads the stored texts once, and removes them. They are for the account that wrote them alone. */
function readKept(email: string): Map<string, string> {
  if (kept) return kept
  const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as { email?: string, texts?: [string, string][] }
  sessionStorage.removeItem(storageKey)
  return kept = new Map(stored.email === email ? stored.texts : [])
}
