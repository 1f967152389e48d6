import { fileURLToPath } from 'node:url'

const from = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The checkout, and the folders that are published. */
export const root = from('.')
export const sdkSource = from('sdk/')
export const sdkFolder = from('dist/sdk/')
export const serverFolder = from('dist/mayfly-mail/')
export const pythonFolder = from('dist/python/')
