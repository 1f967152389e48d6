import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Writes the content of a file to the disk. */
export const syncFile = (file: string): void => { sync(file, 'r+') } // Windows refuses it for a file that is open for reading

/** Writes the names in a folder to the disk, after a file was renamed. Windows does not need it, and refuses it. */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32') sync(folder, 'r')
}

function sync(path: string, mode: 'r' | 'r+') {
  const descriptor = openSync(path, mode)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
