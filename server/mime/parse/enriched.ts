/**
 * Reads text/enriched (RFC 1896): without its commands and their parameters, a line break is a space, and of several one is omitted.
 * @param isEnriched false for text/richtext (RFC 1341), in which commands stand for all line breaks and for "<"
 */
export function textOfEnriched(source: string, isEnriched: boolean): string {
  const text: string[] = []
  let depthWithoutFill = 0
  let depthHidden = 0
  for (const token of source.match(isEnriched ? enrichedToken : richTextToken) ?? []) {
    const command = /^<(\/?)([a-z0-9-]{1,60})>$/i.exec(token)
    const name = command?.[2]!.toLowerCase()
    const step = command?.[1] ? -1 : 1
    if (name === 'nofill') depthWithoutFill = Math.max(0, depthWithoutFill + step)
    else if (name === 'param' || name === 'comment') depthHidden = Math.max(0, depthHidden + step)
    else if (depthHidden > 0) continue
    else if (command) text.push((!isEnriched && !command[1] && richTextCommands[name!]) || '')
    else if (isEnriched && token === '<<') text.push('<')
    else if (token[0] !== '\n' || (isEnriched && depthWithoutFill > 0)) text.push(token)
    else text.push(token.length === 1 || !isEnriched ? ' ' : token.slice(1))
  }
  return text.join('')
}

const enrichedToken = /<<|<\/?[a-z0-9-]{1,60}>|\n+|[^<\n]+|</gi
const richTextToken = /<\/?[a-z0-9-]{1,60}>|\n+|[^<\n]+|</gi
const richTextCommands: Record<string, string> = { nl: '\n', np: '\n', paragraph: '\n', lt: '<' }
