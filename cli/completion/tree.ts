import type { Command } from 'commander'

/** The words that may follow a command, for the completion scripts. */
export interface CommandNode {
  /** The program and the subcommands: `['mayfly', 'address', 'list']`. */
  path: string[]
  commands: CommandWord[]
  options: (CommandWord & { value?: ArgumentValue })[]
  /** The possible values of its first argument. */
  argument?: ArgumentValue
}

export interface CommandWord {
  name: string
  description: string
}

/** The words to choose from, or a kind of file. */
export type ArgumentValue = { choices: readonly string[] } | { files: 'any' | 'folders' } | { free: true }

/** All commands of the program, parents before their children. */
export function readTree(command: Command, parents: string[] = []): CommandNode[] {
  const path = [...parents, command.name()]
  const help = command.createHelp()
  const subcommands = help.visibleCommands(command)
  const [argument] = command.registeredArguments
  const node: CommandNode = {
    path,
    commands: subcommands.map((child) => ({ name: child.name(), description: firstSentence(child.description()) })),
    options: help.visibleOptions(command).filter(({ long }) => long).map((option) => ({
      name: option.long!,
      description: firstSentence(option.description),
      ...(option.required || option.optional) && { value: valueOf(option.argChoices, option.flags) },
    })),
    ...argument && { argument: valueOf(argument.argChoices, argument.name()) },
  }
  return [node, ...command.commands.flatMap((child) => readTree(child, path))]
}

function valueOf(choices: readonly string[] | undefined, flags: string): ArgumentValue {
  if (choices) return { choices }
  if (/\b(folder|directory)\b/.test(flags)) return { files: 'folders' }
  return /\bfile\b/.test(flags) ? { files: 'any' } : { free: true }
}

const firstSentence = (text: string) => text.split(/\.\s|[;:]\s/)[0]!.replace(/\.$/, '')
