import type { Calls } from './called-as.ts'
import type { CommandNode, ArgumentValue, CommandWord } from './tree.ts'

export function zshScript(nodes: CommandNode[], { names, launchers }: Calls): string {
  const name = nodes[0]!.path[0]!
  const commands = nodes.slice(1).map(({ path }) => `'${path.join(' ')}'`)
  return `#compdef ${[...names, ...launchers].join(' ')}
_${name}() {
${launchers.length > 0 ? skipLauncher(names, launchers) : ''}\
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
if [ "$funcstack[1]" = '_${name}' ]; then _${name} "$@"; else compdef _${name} ${[...names, ...launchers].join(' ')}; fi
`
}

/** Leaves out the word before the name. The completion of other words is that of files. */
const skipLauncher = (names: string[], launchers: string[]) => `\
  if [[ "\${words[1]:t}" == (${launchers.join('|')}) ]]; then
    if [[ "\${words[2]:t}" != (${names.join('|')}) ]] || ((CURRENT <= 2)); then _default; return; fi
    shift words
    ((CURRENT--))
  fi
`

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
