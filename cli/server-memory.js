/**
 * Maximum megabytes of a semi-space of V8's young generation in the main thread. Node's default is 64, and V8 does not shrink it when
 * the work is done. The server's other threads have a limit of their own (server/intake/thread.ts).
 */
const maxSemiSpaceMegabytes = 4

/**
 * Percent by which V8's old generation may grow before it is collected. V8 lets a small heap grow fourfold, so a flood of requests would
 * take 200 MB of garbage.
 */
const maxHeapGrowthPercent = 70

/**
 * Arenas of the allocator of glibc. Its default is eight per core, and memory that the server's threads free stays in the arena of each:
 * 40 MB more after a flood of mail. Other allocators ignore the variable.
 */
const maxAllocatorArenas = 2

/** The flags of Node for a server (docs/decisions/0023). */
export const serverFlags = [
  `--max-semi-space-size=${maxSemiSpaceMegabytes}`, `--heap-growing-percent=${maxHeapGrowthPercent}`,
  '--no-parallel-scavenge', // the heaps are small: threads that collect one together cost more than they save
]

/**
 * The Node flags and variables that `mayfly serve` needs and this process was started without: V8 and the allocator read them only at
 * the start. None for the other commands, and none where NODE_OPTIONS or the command line has a size of the heap already.
 * @param {string[]} args the arguments of `mayfly`
 * @returns {{ flags: string[], env: Record<string, string> }}
 */
export function missingMemorySettings(args) {
  const isServer = args.find((arg) => !arg.startsWith('-')) === 'serve'
  const given = [process.env.NODE_OPTIONS ?? '', ...process.execArgv].join(' ').replaceAll('_', '-')
  if (!isServer || given.includes('--max-semi-space-size')) return { flags: [], env: {} }
  return {
    flags: serverFlags,
    env: { MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? String(maxAllocatorArenas) },
  }
}
