import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.ts'

const pythonSource = join(root, 'python')

/** The version of Python that the build needs: `tomllib` reads pyproject.toml. */
const needed = 'python3 of version 3.11 or newer'

/** Whether this machine can build the Python package. */
export const canBuildPython = (): boolean => spawnSync('python3', ['-c', 'import tomllib']).status === 0

/**
 * Builds the wheel and the source distribution of the Python SDK, without a network. Their bytes depend on the sources alone, and on
 * SOURCE_DATE_EPOCH where it is set.
 * @returns the line to print: the folder, or what is missing
 */
export function buildPython(folder: string): string {
  if (!canBuildPython()) return `${folder} is not built: it needs ${needed}`
  mkdirSync(folder, { recursive: true })
  const code = 'import sys; import mayfly_build as backend; backend.build_wheel(sys.argv[1]); backend.build_sdist(sys.argv[1])'
  execFileSync('python3', ['-B', '-c', code, folder], { env: { ...process.env, PYTHONPATH: join(pythonSource, 'backend') }, stdio: 'inherit' })
  return folder
}
