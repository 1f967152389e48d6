/**
 * Megabytes of a half of V8's young generation. Node takes up to 64 and keeps them when the work is done. Where this flag is not set,
 * the server's threads other than the main one are bounded all the same (server/intake/thread.ts).
 */
const maxSemiSpaceMegabytes = 8

/**
 * The flags of Node that the server needs and that this process lacks: V8 reads them at its start only. None for the other commands,
 * and none where the operator has chosen a size.
 * @param {string[]} args the arguments of `mayfly`
 */
export function missingHeapFlags(args) {
  const isServer = args.find((arg) => !arg.startsWith('-')) === 'serve'
  const given = [process.env.NODE_OPTIONS ?? '', ...process.execArgv].join(' ').replaceAll('_', '-')
  return isServer && !given.includes('--max-semi-space-size') ? [`--max-semi-space-size=${maxSemiSpaceMegabytes}`] : []
}
