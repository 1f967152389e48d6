const host = String.raw`((?:[\p{L}\p{N}-]{1,63}\.){1,20}\p{L}{2,63}|\d{1,3}(?:\.\d{1,3}){3})`
/** A host in a text: in a URL, such as `Sign in at https://bank.example/login`, or at the beginning, such as `bank.example`. */
const hostTexts = [
  new RegExp(String.raw`https?:\/\/(?:[^\s/@]{0,200}@)?${host}`, 'iu'), new RegExp(String.raw`^[("'<]{0,3}${host}(?=[/:?#\\]|[.,!)>"']{0,3}$)`, 'iu'),
]

/** @returns the host that the text of a link names, when the link leads to another one */
export function otherHostIn(text: string, host: string): string | undefined {
  const found = hostTexts.map((pattern) => pattern.exec(text.trim())?.[1]).find((each) => each !== undefined)
  const named = found && URL.parse(`https://${found}`)?.hostname
  return named && withoutWww(named) !== withoutWww(host.replace(/:\d+$/, '')) ? named : undefined
}

const withoutWww = (host: string): string => host.replace(/^www\./, '')
