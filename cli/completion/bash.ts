import type { Calls } from './called-as.ts'
import type { CommandNode, ArgumentValue } from './tree.ts'

/** A script for bash 3.2 and newer. */
export function bashScript(nodes: CommandNode[], { names, launchers }: Calls): string {
  const name = nodes[0]!.path[0]!
  const commands = nodes.slice(1).map(({ path }) => `'${path.join(' ')}'`)
  return `# bash completion of ${name}
_${name}() {
  COMPREPLY=()
${launchers.length > 0 ? skipLauncher(names, launchers) : ''}  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at='${name}' words options i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${commands.join(' | ')}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $prev" in
${nodes.flatMap((node) => node.options.flatMap(({ name, value }) =>
    value ? [`    '${node.path.join(' ')} ${name}') ${answer(value)}; return ;;`] : [])).join('\n')}
  esac
  case "$at" in
${nodes.map((node) => `    '${node.path.join(' ')}') words='${wordsOf(node)}'; options='${node.options.map(({ name }) => name).join(' ')}' ;;`).join('\n')}
  esac
  case "$cur" in
    -*) words="$options" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _${name} ${names.join(' ')}
${launchers.length > 0 ? `complete -o bashdefault -o default -F _${name} ${launchers.join(' ')}\n` : ''}`
}

/** Leaves out the word before the name. The completion of other words is that of files. */
const skipLauncher = (names: string[], launchers: string[]) => `\
  case "\${COMP_WORDS[0]##*/}" in
    ${launchers.join(' | ')})
      case "\${COMP_WORDS[1]##*/}" in
        ${names.join(' | ')}) ;;
        *) return ;;
      esac
      [ "$COMP_CWORD" -gt 1 ] || return
      COMP_WORDS=("\${COMP_WORDS[@]:1}")
      COMP_CWORD=$((COMP_CWORD - 1)) ;;
  esac
`

function answer(value: ArgumentValue) {
  if ('choices' in value) return `COMPREPLY=($(compgen -W '${value.choices.join(' ')}' -- "$cur"))`
  if (!('files' in value)) return ':'
  return `compopt -o filenames 2> /dev/null; local IFS=$'\\n'; COMPREPLY=($(compgen ${value.files === 'folders' ? '-d' : '-f'} -- "$cur"))`
}

const wordsOf = ({ commands, argument }: CommandNode) => [
  ...commands.map(({ name }) => name),
  ...argument && 'choices' in argument ? argument.choices : [],
].join(' ')
