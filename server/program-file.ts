import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { getAsset, getRawAsset, isSea } from 'node:sea'

/** Whether this is the executable, which has all files of the program in it (build/executable.ts). */
export const isExecutable = isSea()

/**
 * Reads a file of the program, as text.
 * @param url beside a module; the executable has the file under its name, without the folder
 */
export const readProgramFile = (url: URL): string =>
  isExecutable ? getAsset(posix.basename(url.pathname), 'utf8') : readFileSync(url, 'utf8')

/** Reads a file of the program, as bytes. @see readProgramFile */
export const readProgramBytes = (url: URL): Buffer =>
  isExecutable ? Buffer.from(getRawAsset(posix.basename(url.pathname))) : readFileSync(url)
