import type { CommandNode, ArgumentValue, CommandWord } from './tree.ts'

export function fishScript(nodes: CommandNode[]): string {
  const name = nodes[0]!.path[0]!
  const paths = nodes.slice(1).map(({ path }) => `'${path.join(' ')}'`)
  return `# fish completion of ${name}
function __${name}_at
    set -l at ${name}
    for word in (commandline -opc)[2..-1]
        if contains -- "$at $word" ${paths.join(' ')}
            set at "$at $word"
        end
    end
    test "$at" = "$argv"
end
complete -c ${name} -f
${nodes.flatMap((node) => linesOf(name, node)).join('\n')}
`
}

function linesOf(name: string, { path, commands, options, argument }: CommandNode): string[] {
  const start = `complete -c ${name} -n '__${name}_at ${path.join(' ')}'`
  return [
    ...commands.map((word) => `${start} -a ${word.name}${described(word)}`),
    ...argument && 'choices' in argument ? [`${start} -a '${argument.choices.join(' ')}'`] : [],
    ...options.map(({ value, ...word }) => `${start} -l ${word.name.slice(2)}${value ? takes(value) : ''}${described(word)}`),
  ]
}

function takes(value: ArgumentValue) {
  if ('choices' in value) return ` -x -a '${value.choices.join(' ')}'`
  if (!('files' in value)) return ' -x'
  return value.files === 'folders' ? " -x -a '(__fish_complete_directories)'" : ' -r -F'
}

const described = ({ description }: CommandWord) => description ? ` -d '${description.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : ''
