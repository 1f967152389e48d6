import { Argument, Command } from 'commander'
import { withExamples } from '../client/options.ts'
import { print } from '../output.ts'
import { bashScript } from '../completion/bash.ts'
import { calledAs } from '../completion/called-as.ts'
import { fishScript } from '../completion/fish.ts'
import { readTree } from '../completion/tree.ts'
import { zshScript } from '../completion/zsh.ts'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }

/** @param loadProgram loads all commands with their options */
export function completionCommand(loadProgram: () => Promise<Command>): Command {
  return withExamples(new Command('completion'), [
    'mayfly completion bash > ~/.local/share/bash-completion/completions/mayfly',
    'mayfly completion zsh > "${fpath[1]}/_mayfly"',
    'mayfly completion fish > ~/.config/fish/completions/mayfly.fish',
    'source <(npx mayfly completion bash)                 completes "npx mayfly" too, as it is called so',
  ])
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .action(async (shell: keyof typeof scripts) => {
      print({}, scripts[shell](readTree(await loadProgram()), calledAs(process.env)).trimEnd(), String)
    })
}
