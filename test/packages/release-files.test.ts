import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changesOf, withVersion } from '../../build/changelog.ts'
import { targetNames, targetOf } from '../../build/executable/target.ts'
import { flakeOf, formulaOf } from '../../build/release-files.ts'

const { namedFile } = createRequire(import.meta.url)('../../build/executable/named-file.cjs') as {
  namedFile(name: string, bytes: Buffer, folder: string): string
}

const repository = 'https://github.com/owner/name'

describe('Release: the formula of Homebrew and the flake of Nix', () => {
  const release = { folder: '', version: '1.2.3', repository }
  before(() => {
    release.folder = mkdtempSync(join(tmpdir(), 'mayfly-made-up-'))
    for (const name of targetNames) writeFileSync(join(release.folder, `mayfly-${name}`), `the executable of ${name}`)
  })
  after(() => rmSync(release.folder, { recursive: true }))

  const sumOf = (name: string, encoding: 'hex' | 'base64') =>
    createHash('sha256').update(readFileSync(join(release.folder, name))).digest(encoding)
  const urlOf = (name: string) => `${repository}/releases/download/v1.2.3/${name}`
  const files = ['mayfly-darwin-arm64', 'mayfly-linux-arm64', 'mayfly-linux-x64']

  it('the formula has each executable with its sum, and is accepted by Ruby', () => {
    const formula = formulaOf(release)
    const named = [...formula.matchAll(/url "(.*)"\n +sha256 "(.*)"/g)].map(([, url, sum]) => [url, sum])
    expect(named.sort()).to.deep.equal(files.map((name) => [urlOf(name), sumOf(name, 'hex')]))
    if (spawnSync('ruby', ['--version']).error) return void console.log('      (no ruby on this machine: the formula is not verified)')
    const { status, stderr } = spawnSync('ruby', ['-wc'], { input: formula, encoding: 'utf8' })
    expect(status, stderr).to.equal(0)
    // as Homebrew reads it, on each system
    const reader = `class Formula
  def self.method_missing(name, *values, &block)
    return puts("#{name} #{values[0]}") if [:url, :version].include?(name)
    block.call if [:on_macos, :on_linux, :on_intel, :on_arm].include?(name) && ENV["SYSTEM"].include?(name.to_s)
  end
end\n`
    for (const [system, file] of [['on_macos on_arm', files[0]], ['on_linux on_arm', files[1]], ['on_linux on_intel', files[2]]] as const) {
      const { stdout } = spawnSync('ruby', [], { input: reader + formula, encoding: 'utf8', env: { ...process.env, SYSTEM: system } })
      expect(stdout).to.equal(`version 1.2.3\nurl ${urlOf(file!)}\n`)
    }
  })

  it('the flake has each executable with its sum, and is accepted by Nix', () => {
    const flake = flakeOf(release)
    const named = [...flake.matchAll(/(\S+) = \{\n +url = "(.*)";\n +hash = "(.*)";/g)].map(([, system, url, sum]) => [system, url, sum])
    const systems = ['aarch64-darwin', 'aarch64-linux', 'x86_64-linux']
    expect(named.sort()).to.deep.equal(files.map((name, i) => [systems[i], urlOf(name), `sha256-${sumOf(name, 'base64')}`]))
    if (spawnSync('nix-instantiate', ['--version']).error) return void console.log('      (no nix on this machine: the flake is not verified)')
    const { status, stderr } = spawnSync('nix-instantiate', ['--parse', '-'], { input: flake, encoding: 'utf8' })
    expect(status, stderr).to.equal(0)
  })
})

describe('Release: CHANGELOG.md', () => {
  const text = '# Changelog\n\n## Unreleased\n\n### Added\n- One.\n'

  it('gets a heading with version, date and links, and stays without links where there is no repository', () => {
    const first = withVersion(text, '0.1.0', '2026-12-01', repository)
    expect(first).to.equal(`# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-12-01\n\n### Added\n- One.\n\n`
      + `[Unreleased]: ${repository}/compare/v0.1.0...HEAD\n[0.1.0]: ${repository}/releases/tag/v0.1.0\n`)
    const second = withVersion(first.replace('## [Unreleased]\n', '## [Unreleased]\n\n### Fixed\n- Two.\n'), '0.1.1', '2026-12-02', repository)
    expect(second).to.equal(`# Changelog\n\n## [Unreleased]\n\n## [0.1.1] - 2026-12-02\n\n### Fixed\n- Two.\n\n## [0.1.0] - 2026-12-01\n\n### Added\n- One.\n\n`
      + `[Unreleased]: ${repository}/compare/v0.1.1...HEAD\n[0.1.1]: ${repository}/compare/v0.1.0...v0.1.1\n[0.1.0]: ${repository}/releases/tag/v0.1.0\n`)
    expect(withVersion(text, '0.1.0', '2026-12-01')).to.equal('# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2026-12-01\n\n### Added\n- One.\n')
    expect([changesOf(second, '0.1.1'), changesOf(second, '0.1.0')]).to.deep.equal(['### Fixed\n- Two.\n', '### Added\n- One.\n'])
    expect([changesOf(text, '0.1.0'), changesOf(second, '0.2.0')]).to.deep.equal(['### Added\n- One.\n', '\n'])
    expect(() => withVersion('# Changelog\n', '0.1.0', '2026-12-01')).to.throw('no heading')
  })

  it('has the form that a release expects', () => {
    expect(withVersion(readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8'), '9.9.9', '2026-12-01', repository))
      .to.match(/^## \[Unreleased\]\n\n## \[9\.9\.9\] - 2026-12-01\n\n### Added/m)
  })
})

describe('Build: executables', () => {
  it('are built for four systems, those of macOS on macOS alone, and a sentence says so', () => {
    expect(targetNames.filter((name) => !name.startsWith('darwin')).map((name) => targetOf(name, 'linux-x64').isOwn)).to.deep.equal([true, false, false])
    expect(targetOf(undefined, 'win32-x64')).to.deep.include({ name: 'win-x64', isOwn: true }).and.to.have.property('file').that.matches(/mayfly-win-x64\.exe$/)
    expect(targetOf('darwin-arm64', 'darwin-arm64')).to.have.property('isOwn', true)
    expect(() => targetOf('darwin-arm64', 'linux-x64')).to.throw('No executable is built for darwin-arm64 here: it has to be signed by codesign of macOS')
    for (const [name, own] of [[undefined, 'freebsd-x64'], ['freebsd-x64', 'linux-x64']] as const) {
      expect(() => targetOf(name, own)).to.throw('No executable is built for freebsd-x64: there are those for linux-x64, linux-arm64, darwin-arm64, win-x64')
    }
  })

  it('without one, the build ends with a sentence and the exit code 1', () => {
    const build = new URL('../../build/main.ts', import.meta.url).pathname
    const { status, stderr } = spawnSync(process.execPath, [build, 'executable', 'freebsd-x64'], { encoding: 'utf8' })
    expect([status, stderr]).to.match(/^1,No executable is built for freebsd-x64: .*\n$/)
    expect(spawnSync(process.execPath, [build, 'exectuable']).status).to.equal(2)
  })

  it('have their native module in a file of the user, where the system needs a name: written once, and compared', () => {
    const parent = mkdtempSync(join(tmpdir(), 'mayfly-named-'))
    try {
      const folder = join(parent, 'caches/mayfly')
      const bytes = Buffer.from('the library')
      const path = namedFile('library.node', bytes, folder)
      const { mtimeMs, mode } = statSync(path)
      expect([readFileSync(path), mode & 0o777, statSync(folder).mode & 0o777]).to.deep.equal([bytes, 0o600, 0o700])
      expect([namedFile('library.node', bytes, folder), statSync(path).mtimeMs]).to.deep.equal([path, mtimeMs])
      writeFileSync(path, 'another library')
      expect(readFileSync(namedFile('library.node', bytes, folder))).to.deep.equal(bytes)
      expect(readdirSync(folder)).to.deep.equal(['library.node'])
      mkdirSync(join(folder, 'taken.node')) // a file that cannot be replaced
      expect(() => namedFile('taken.node', bytes, folder)).to.throw()
      expect(readdirSync(folder)).to.deep.equal(['library.node', 'taken.node'])
    } finally {
      rmSync(parent, { recursive: true })
    }
  })
})
