import { toSnake } from './names.ts'

const maxWidth = 118

/** A docstring, indented, of paragraphs as they stand in the document. */
export function docstring(indent: string, ...paragraphs: string[]): string {
  const kept = paragraphs.filter(Boolean)
  const lines = kept.flatMap((text, i) => [...i > 0 && !isField(text) ? [''] : i > 0 && !isField(kept[i - 1]!) ? [''] : [], ...wrap(text, maxWidth - indent.length)])
  if (lines.length === 1 && indent.length + lines[0]!.length + 6 <= maxWidth) return `${indent}"""${lines[0]}"""`
  return [`${indent}"""`, ...lines.map((line) => line && `${indent}${line}`), `${indent}"""`].join('\n')
}

const isField = (text: string) => text.startsWith(':')

/** Breaks lines at the width. Tables, lists and indented blocks stay as they are. */
function wrap(text: string, width: number): string[] {
  return text.trim().split(/\n{2,}/).flatMap((part, i) => [...i > 0 ? [''] : [], ...isTable(part) ? part.split('\n') : wrapLine(part.replace(/\s+/g, ' '), width)])
}

const isTable = (part: string) => /^(\||- |```)/.test(part)

function wrapLine(text: string, width: number): string[] {
  const lines: string[] = []
  const indent = isField(text) ? '    ' : ''
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(lines.length === 0 ? word : indent + word)
  }
  return lines
}

/**
 * A text of the document in the words of Python: members and parameters in snake case, `None`, `True`, and operations by their method.
 * @param operations the operationId of each method and path: `GET /api/v1/emails`
 */
export function pythonText(text: string | undefined, operations: Map<string, string>): string {
  return (text ?? '')
    .replace(/`((?:GET|POST|PATCH|DELETE) \/\S+?)(\?[^`]*)?`/g, (all, call: string) => asMethod(operations.get(call)) ?? all)
    .replace(/`([a-z]+[A-Z]\w*)(: \w+)?`/g, (_, name: string, value = '') => `\`${toSnake(name)}${value}\``)
    .replace(/`([^`]*)`/g, (_, code: string) => `\`${toPython(code)}\``)
    .replace(/\bnull\b/g, 'None').replace(/\bNull\b/g, 'None')
    .replace(/\bis (true|false)\b/g, (_, value: string) => `is ${toPython(value)}`)
    .replaceAll('\\', '\\\\').replaceAll('"""', '\'\'\'')
}

const asMethod = (operationId: string | undefined) => operationId && `\`${toSnake(operationId)}\``

const toPython = (code: string) => code.replace(/\bnull$/, 'None').replace(/\btrue$/, 'True').replace(/\bfalse$/, 'False')
