import type { CommandNode, ArgumentValue, CommandWord } from './tree.ts'

export function zshScript(nodes: CommandNode[]): string {
  const name = nodes[0]!.path[0]!
  const commands = nodes.slice(1).map(({ path }) => `'${path.join(' ')}'`)
  return `#compdef ${name}
_${name}() {
  local at='${name}' i
  local -a found options
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
      ${commands.join(' | ').replaceAll("' | '", "'|'")}) at="$at \${words[i]}" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${nodes.flatMap((node) => node.options.flatMap(({ name, value }) =>
    value ? [`    '${node.path.join(' ')} ${name}') ${answer(value)}; return ;;`] : [])).join('\n')}
  esac
  case "$at" in
${nodes.map((node) => `    '${node.path.join(' ')}')
      found=(${wordsOf(node).map(described).join(' ')})
      options=(${node.options.map(described).join(' ')}) ;;`).join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then _describe '${name}' options; else _describe '${name}' found; fi
}
if [ "$funcstack[1]" = '_${name}' ]; then _${name} "$@"; else compdef _${name} ${name}; fi
`
}

function answer(value: ArgumentValue) {
  if ('choices' in value) return `compadd -- ${value.choices.join(' ')}`
  if (!('files' in value)) return ':'
  return value.files === 'folders' ? '_files -/' : '_files'
}

const wordsOf = ({ commands, argument }: CommandNode): CommandWord[] => [
  ...commands,
  ...argument && 'choices' in argument ? argument.choices.map((name) => ({ name, description: '' })) : [],
]

/** `'name:description'` */
const described = ({ name, description }: CommandWord) =>
  `'${[name.replaceAll(':', '\\:'), description].filter(Boolean).join(':').replaceAll("'", "'\\''")}'`
