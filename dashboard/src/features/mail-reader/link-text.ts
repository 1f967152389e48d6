/** A host at the beginning of a text, such as `https://bank.example/login` or `bank.example`. */
const hostText = /^(?:https?:\/\/)?((?:[\p{L}\p{N}-]{1,63}\.)+\p{L}{2,63})(?=[/:?#]|$)/iu

/** @returns the host that the text of a link names, when the link leads to another one */
export function otherHostIn(text: string, host: string): string | undefined {
  const found = hostText.exec(text.trim())?.[1]
  const named = found && URL.parse(`https://${found}`)?.hostname
  return named && withoutWww(named) !== withoutWww(host.replace(/:\d+$/, '')) ? named : undefined
}

const withoutWww = (host: string): string => host.replace(/^www\./, '')
