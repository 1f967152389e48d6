import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentFor } from '../openapi/document.ts'
import { generatePython } from '../openapi/python/index.ts'
import { keepReleased } from '../openapi/released.ts'
import { withVersion } from './changelog.ts'
import { readManifest, repositoryUrl, writeManifest } from './manifest.ts'
import { keepReleasedDatabase } from './released-database.ts'
import { root, sdkSource } from './paths.ts'

/**
 * `npm run node -- build/version.ts`: sets the next version, by the changesets. Changesets ignores the root package, so it raises the SDK's
 * version, and the server, which depends on exactly that version, gets the same.
 */
const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: root, stdio: 'inherit' })
const before = readManifest(root)
run(join(root, 'node_modules/.bin/changeset'), 'version')
const { name, version } = readManifest(sdkSource)
if (version === before.version) throw new Error('no changeset asks for a version; add one with: npx changeset')

keepReleased(version)
await keepReleasedDatabase(version)
writeManifest(root, { ...before, version, dependencies: { ...before.dependencies, [name]: version } })
generatePython(documentFor('api')) // the Python SDK has the same version
run('npm', 'install', '--package-lock-only', '--prefer-offline', '--no-audit', '--no-fund')
const changelog = join(root, 'CHANGELOG.md')
const today = new Date().toISOString().slice(0, 10)
writeFileSync(changelog, withVersion(readFileSync(changelog, 'utf8'), version, today, repositoryUrl()))
const chart = join(root, 'packaging/helm/mayfly/Chart.yaml')
writeFileSync(chart, readFileSync(chart, 'utf8').replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`))
console.log(`${version}: look at the changes, commit them, and push the tag v${version}`)
