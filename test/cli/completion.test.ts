import { expect } from 'chai'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm, mkdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mayfly, program } from './run.ts'

describe('CLI: completion', function () {
  let folder: string
  const scripts: Record<string, string> = {}
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-completion-'))
    await mkdir(join(folder, 'some files'))
    await Promise.all(['bash', 'zsh', 'fish'].map(async (shell) => {
      const { code, stdout, stderr } = await mayfly(['completion', shell], {})
      expect([code, stderr]).to.deep.equal([0, ''])
      scripts[shell] = stdout
      await writeFile(join(folder, shell), stdout)
    }))
  })
  after(() => rm(folder, { recursive: true }))

  const isHere = (shell: string) => !spawnSync(shell, ['--version']).error

  if (isHere('bash')) it('completes commands, options and their values in bash', () => {
    const complete = (line: string) => execFileSync('bash', ['--norc', '-c', `
      source ./bash
      COMP_WORDS=(${line.endsWith(' ') ? `${line} ''` : line}) COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      $(complete -p mayfly | sed 's/.*-F \\([^ ]*\\).*/\\1/') mayfly
      for word in "\${COMPREPLY[@]}"; do echo "$word"; done`], { cwd: folder, encoding: 'utf8' }).split('\n').slice(0, -1)
    expect(complete('mayfly ')).to.include.members(['login', 'address', 'inbox', 'email', 'webhook', 'serve', 'key', 'doctor'])
    expect(complete('mayfly in')).to.deep.equal(['inbox'])
    expect(complete('mayfly inbox ')).to.deep.equal(['wait', 'watch', 'list', 'help'])
    expect(complete('mayfly inbox wait --ti')).to.deep.equal(['--timeout'])
    expect(complete('mayfly inbox wait checkout --l')).to.deep.equal(['--link'])
    expect(complete('mayfly inbox wait --subject ')).to.deep.equal([])
    expect(complete('mayfly address list --status ')).to.deep.equal(['active', 'expired'])
    expect(complete('mayfly account create --plan b')).to.deep.equal(['business'])
    expect(complete('mayfly completion ')).to.deep.equal(['bash', 'zsh', 'fish'])
    expect(complete('mayfly email save-attachments --to s')).to.deep.equal(['some files'])
  })

  if (isHere('bash')) it('completes the words with which it was called', async () => {
    const complete = (script: string, command: string, line: string) => execFileSync('bash', ['--norc', '-c', `
      source ./${script}
      complete -p ${command} > /dev/null || exit 1
      COMP_WORDS=(${line} '') COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _mayfly
      for word in "\${COMPREPLY[@]}"; do echo "$word"; done`], { cwd: folder, encoding: 'utf8' }).split('\n').slice(0, -1)
    const commands = ['wait', 'watch', 'list', 'help']
    // these tests run the script of the command with node
    expect(complete('bash', 'mayfly.js', './cli/mayfly.js inbox')).to.deep.equal(commands)
    expect(complete('bash', 'node', 'node cli/mayfly.js inbox')).to.deep.equal(commands)
    expect(complete('bash', 'node', 'node other.js inbox')).to.deep.equal([])
    expect(scripts['bash']).to.not.include('npx')
    const { stdout } = await mayfly(['completion', 'bash'], { npm_command: 'exec', npm_lifecycle_event: 'npx' })
    await writeFile(join(folder, 'npx'), stdout)
    expect(complete('npx', 'npx', 'npx mayfly inbox')).to.deep.equal(commands)
    expect(complete('npx', 'npx', 'npx other inbox')).to.deep.equal([])
  })

  it('completes a program with another name, such as the executable', async () => {
    await symlink(program, join(folder, 'mayfly-linux-x64'))
    const stdout = execFileSync(process.execPath, [join(folder, 'mayfly-linux-x64'), 'completion', 'bash'], { encoding: 'utf8' })
    expect(stdout).to.match(/^complete -F _mayfly mayfly mayfly-linux-x64$/m)
  })

  for (const shell of ['bash', 'zsh', 'fish'].filter(isHere)) {
    it(`is a valid script of ${shell}`, () => {
      execFileSync(shell, ['-n', join(folder, shell)])
    })
  }

  it('describes the same commands in all shells', () => {
    for (const script of Object.values(scripts)) {
      expect(script).to.include('save-attachments').and.include('forward-to').and.include('active expired').and.to.not.include('undefined')
    }
  })

  it('lists the supported shells for an unknown one', async () => {
    const { code, stdout, stderr } = await mayfly(['completion', 'cmd'], {})
    expect([code, stdout]).to.deep.equal([1, ''])
    expect(stderr).to.match(/'cmd' is invalid for argument 'shell'\. Allowed choices are bash, zsh, fish\./)
  })
})
