/**
 * Takes the place of better-sqlite3's main module in the executable: loads the native module from the executable. dlopen(3) needs a file.
 * On Linux it gets one without a name, in a folder that may have programs; threads share it, and it ends with the process. Other systems
 * need a name.
 */
/* global SQLITE_FILE -- by build/executable.ts: a name with the sum of the library */
const { closeSync, constants, openSync, readSync, unlinkSync, writeSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { dirname, join } = require('node:path')
const { getRawAsset } = require('node:sea')
const threads = require('node:worker_threads')
const { namedFile } = require('./named-file.cjs')

/** The name of the native module among the executable's files, and of its path among the data that threads inherit. */
const name = 'better_sqlite3.node'

let addon
const loadAddon = () => addon ??= threads.isMainThread ? loadFirst() : load(threads.getEnvironmentData(name))

function loadFirst() {
  if (process.platform !== 'linux') return loadShared(namedFile(SQLITE_FILE, Buffer.from(getRawAsset(name))))
  const failures = []
  for (const folder of new Set([tmpdir(), '/dev/shm', '/var/tmp', dirname(process.env.MAYFLY_DATABASE || './data/mayfly.db')])) {
    let file
    try {
      file = writeUnnamed(folder, new Uint8Array(getRawAsset(name)))
      return loadShared(`/proc/self/fd/${file}`)
    } catch (error) {
      if (file !== undefined) closeSync(file)
      failures.push(`${folder}: ${error.message}`)
    }
  }
  throw new Error(`The executable cannot load its native module: set TMPDIR to a folder that may be written and has no option noexec. ${failures.join('; ')}`)
}

/** Loads the library, as the threads do later. */
function loadShared(path) {
  const loaded = load(path)
  threads.setEnvironmentData(name, path)
  return loaded
}

/** Writes a file and removes its name before the bytes are there, so that no other user and no other process can change it. @returns its descriptor */
function writeUnnamed(folder, bytes) {
  const path = join(folder, `.mayfly-${randomName()}.node`)
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600)
  unlinkSync(path)
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
  return file
}

/** Without node:crypto, which takes as long to load as a command takes to list keys. */
function randomName() {
  const bytes = Buffer.alloc(16)
  const file = openSync('/dev/urandom', 'r')
  readSync(file, bytes)
  closeSync(file)
  return bytes.toString('hex')
}

function load(path) {
  const module = { exports: {} }
  process.dlopen(module, path)
  return module.exports
}

module.exports = require('better-sqlite3/lib/database')(loadAddon, false)
module.exports.SqliteError = require('better-sqlite3/lib/sqlite-error')
