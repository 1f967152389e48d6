import type { CommandNode, ArgumentValue } from './tree.ts'

/** A script for bash 3.2 and newer. */
export function bashScript(nodes: CommandNode[]): string {
  const name = nodes[0]!.path[0]!
  const commands = nodes.slice(1).map(({ path }) => `'${path.join(' ')}'`)
  return `# bash completion of ${name}
_${name}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at='${name}' words options i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${commands.join(' | ')}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
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
complete -F _${name} ${name}
`
}

function answer(value: ArgumentValue) {
  if ('choices' in value) return `COMPREPLY=($(compgen -W '${value.choices.join(' ')}' -- "$cur"))`
  if (!('files' in value)) return ':'
  return `compopt -o filenames 2> /dev/null; local IFS=$'\\n'; COMPREPLY=($(compgen ${value.files === 'folders' ? '-d' : '-f'} -- "$cur"))`
}

const wordsOf = ({ commands, argument }: CommandNode) => [
  ...commands.map(({ name }) => name),
  ...argument && 'choices' in argument ? argument.choices : [],
].join(' ')
