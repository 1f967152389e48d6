import type { Calls } from './called-as.ts'
import type { CommandNode, ArgumentValue, CommandWord } from './tree.ts'

export function fishScript(nodes: CommandNode[], { names, launchers }: Calls): string {
  const name = nodes[0]!.path[0]!
  const paths = nodes.slice(1).map(({ path }) => `'${path.join(' ')}'`)
  return `# fish completion of ${name}
function __${name}_words
    set -l words (commandline -opc)
    if contains -- (string replace -r '.*/' '' -- $words[1]) ${launchers.join(' ') || "''"}
        contains -- (string replace -r '.*/' '' -- "$words[2]") ${names.join(' ')}; or return 1
        set -e words[1]
    end
    string join \\n -- $words
end
function __${name}_at
    set -l words (__${name}_words); or return 1
    set -l at ${name}
    for word in $words[2..-1]
        if contains -- "$at $word" ${paths.join(' ')}
            set at "$at $word"
        end
    end
    test "$at" = "$argv"
end
complete -c ${name} -n '__${name}_words > /dev/null' -f
${[...names.slice(1), ...launchers].map((other) => `complete -c ${other} -w ${name}\n`).join('')}\
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
