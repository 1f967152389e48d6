const { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { homedir } = require('node:os')
const { join } = require('node:path')

/** The folder of a user for files that programs can make again. */
const cacheFolder = () => process.platform === 'darwin'
  ? join(homedir(), 'Library/Caches/mayfly')
  : join(process.env.LOCALAPPDATA || join(homedir(), 'AppData/Local'), 'mayfly')

/**
 * A file with these bytes, for systems that load a library only from a file with a name. The name has the sum of the bytes, since Windows
 * replaces no library that is in use. It stays for the next start, which compares it.
 * @returns its path
 */
function namedFile(name, bytes, folder = cacheFolder()) {
  const path = join(folder, name)
  if (hasBytes(path, bytes)) return path
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const written = `${path}-${process.pid}`
  try {
    writeFileSync(written, bytes, { mode: 0o600 })
    renameSync(written, path)
  } catch (error) {
    rmSync(written, { force: true })
    if (!hasBytes(path, bytes)) throw error // Windows, where another process has written and loaded it meanwhile
  }
  return path
}

function hasBytes(path, bytes) {
  try {
    return readFileSync(path).equals(bytes)
  } catch {
    return false
  }
}

module.exports = { namedFile }
