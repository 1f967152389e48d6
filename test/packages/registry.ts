import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, must, start } from './project.ts'

/** Verdaccio is installed by the test that needs it: it has more packages than the server. Of each, the version of that day is taken. */
const tool = { private: true, dependencies: { verdaccio: '6.8.0' }, overrides: { 'node-fetch': '2.7.0' } }
const day = '2026-11-27'

export interface Registry extends AsyncDisposable {
  url: string
  /** Options of npm for this registry, which takes any token. */
  options: string[]
}

/** Starts an npm registry on this machine: it stores published packages, and fetches others from the registry that npm is set to. */
export async function openRegistry(folder: string): Promise<Registry> {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify(tool))
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline', `--before=${day}`]
  await must('npm', args, folder)
  const upstream = (await must('npm', ['config', 'get', 'registry'], folder)).trim()
  const own = { access: '$all', publish: '$all' }
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify({
    storage: './storage', auth: {}, uplinks: { upstream: { url: upstream } }, log: { type: 'stdout', format: 'json', level: 'warn' },
    packages: { '@mayfly-mail/*': own, 'mayfly-mail': own, '**': { access: '$all', proxy: 'upstream' } },
  }))
  const port = await freePort()
  const verdaccio = join(folder, 'node_modules/verdaccio/bin/verdaccio')
  const running = start(process.execPath, [verdaccio, '--config', 'config.yaml', '--listen', `127.0.0.1:${port}`], folder)
  await running.line(/http address/)
  const url = `http://127.0.0.1:${port}/`
  return { url, options: ['--registry', url, `--//127.0.0.1:${port}/:_authToken=any`], [Symbol.asyncDispose]: () => running.stop() }
}
