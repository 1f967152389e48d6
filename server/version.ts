import { readProgramFile } from './program-file.ts'

/** The version of this package. */
export function readVersion(): string {
  const { version } = JSON.parse(readProgramFile(new URL('../package.json', import.meta.url))) as { version: string }
  return version
}
