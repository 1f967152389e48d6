import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { buildPython, canBuildPython } from '../../build/python.ts'
import { openMock } from '../support/mock.ts'
import { root, runPython, withPython } from './python.ts'

const { version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { version: string }
const wheel = `mayfly_mail-${version}-py3-none-any.whl`
const sdist = `mayfly_mail-${version}.tar.gz`

withPython('Python package', () => {
  let folder: string
  before(() => { folder = mkdtempSync(join(tmpdir(), 'mayfly-test-')) })
  after(() => rmSync(folder, { recursive: true }))

  const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

  it('is built, with the version of package.json, and twice with the same bytes', () => {
    for (const name of ['a', 'b']) expect(buildPython(join(folder, name))).to.equal(join(folder, name))
    expect(readdirSync(join(folder, 'a')).toSorted()).to.deep.equal([wheel, sdist])
    for (const file of [wheel, sdist]) expect(hashOf(join(folder, 'a', file))).to.equal(hashOf(join(folder, 'b', file)))
  })

  it('has all sources in the wheel, and the same in the source distribution', () => {
    const list = (code: string) => execFileSync('python3', ['-c', code], { cwd: join(folder, 'a'), encoding: 'utf8' }).split('\n').filter(Boolean)
    const inWheel = list(`import zipfile; print(*zipfile.ZipFile('${wheel}').namelist(), sep='\\n')`)
    const inSdist = list(`import tarfile; print(*tarfile.open('${sdist}').getnames(), sep='\\n')`)
    const sources = execFileSync('git', ['ls-files', 'python/src'], { cwd: root, encoding: 'utf8' }).trim().split('\n').map((path) => path.replace('python/src/', ''))
    expect(inWheel.filter((path) => path.startsWith('mayfly/'))).to.have.members(sources).and.include('mayfly/py.typed')
    expect(inSdist).to.include.members(sources.map((path) => `mayfly_mail-${version}/src/${path}`))
    expect(inSdist).to.include.members(['PKG-INFO', 'pyproject.toml', 'README.md', 'LICENSE'].map((path) => `mayfly_mail-${version}/${path}`))
  })

  it('installs without a network into an empty environment, and works with the standard library alone', async function () {
    const environment = join(folder, 'venv')
    await runPython(['-m', 'venv', environment])
    const python = join(environment, 'bin/python3')
    await runPython(['-m', 'pip', 'install', '--no-index', '--no-deps', '--quiet', '--disable-pip-version-check', join(folder, 'a', wheel)], {}, python)
    await using mock = await openMock()
    const code = `
import sys
before = set(sys.modules)
import importlib.metadata as metadata, mayfly
assert mayfly.__version__ == metadata.version('mayfly-mail') == '${version}', mayfly.__version__
assert [entry.value for entry in metadata.entry_points(group='pytest11')] == ['mayfly.pytest_plugin']
assert not metadata.requires('mayfly-mail')
with mayfly.Mayfly() as client, client.inboxes.create() as inbox:
    print(inbox.address)
loaded = {name.partition('.')[0] for name in set(sys.modules) - before}
assert loaded <= {'mayfly', *sys.stdlib_module_names}, loaded`
    const output = await runPython(['-W', 'error', '-c', code], { MAYFLY_BASE_URL: mock.url, MAYFLY_API_KEY: 'svc_test_mock', PYTHONPATH: '' }, python)
    expect(output).to.match(/@mail\.localhost\n$/)
  })

  it('is built from its source distribution by pip', async function () {
    const target = join(folder, 'from-sdist')
    await runPython(['-m', 'pip', 'wheel', '--no-index', '--no-deps', '--quiet', '--disable-pip-version-check',
      '--wheel-dir', target, join(folder, 'a', sdist)])
    expect(hashOf(join(target, wheel))).to.equal(hashOf(join(folder, 'a', wheel)))
  })
}, ...canBuildPython() ? ['venv', 'pip'] : ['tomllib'])
