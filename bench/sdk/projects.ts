import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { filesAtStart } from '../../build/start-files.ts'
import type { Client } from './clients.ts'

/** Installs a package in an empty project. @param spec its name, or a tarball. @returns ms, with a cache that later calls find filled */
export function install(folder: string, spec: string): number {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const begin = performance.now()
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', '--cache', `${folder}-cache`, spec]
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  return performance.now() - begin
}

/** Bytes and packages in node_modules. */
export function installed(folder: string): { bytes: number, packages: number } {
  const modules = join(folder, 'node_modules')
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name !== '.package-lock.json')
  return {
    bytes: files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0),
    packages: globSync(['node_modules/*/package.json', 'node_modules/@*/*/package.json', 'node_modules/**/node_modules/*/package.json'], { cwd: folder }).length,
  }
}

/** Bytes of a program's bundle that has the client in it, in the files that load at its start: minified, for Node, compressed by brotli. */
export async function bundled(folder: string, { name, imported }: Client): Promise<number> {
  const names = imported.replace('default:', 'default as')
  const { outputFiles, metafile } = await build({
    stdin: { contents: `import ${names} from '${name}'\nglobalThis.client = ${/(\w+) \}/.exec(imported)![1]}`, resolveDir: folder },
    outdir: folder,
    absWorkingDir: folder,
    bundle: true,
    splitting: true,
    metafile: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    write: false,
  })
  const atStart = filesAtStart(metafile)
  const files = outputFiles.filter(({ path }) => atStart.has(basename(path)))
  return files.reduce((sum, { contents }) => sum + brotliCompressSync(contents).length, 0)
}
