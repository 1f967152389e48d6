import { newRecipe, randomSource } from './recipes.ts'
import type { Recipe } from './recipes.ts'
import type { Target } from './targets.ts'

const kB = 1024
const MB = 1024 * kB

/** Maximum milliseconds that an input may block its thread: for a short mail, and per byte of a longer one. */
export const maxShortMs = 250
export const maxMsPerByte = 2_000 / (10 * MB)
export const allowedMs = (bytes: number) => Math.max(maxShortMs, bytes * maxMsPerByte)

interface Case {
  recipe: Recipe
  bytes: number
  ms: number
}

/** The results of all cases of a function. */
export interface Findings {
  target: Target
  cases: number
  /** The input that took the largest share of its allowed time. */
  slowest: Case | undefined
  /** The inputs that took most time per byte, the slowest first. */
  steepest: Case[]
  errors: string[]
}

/** Number of inputs per function, those with most time per byte, that are lengthened at the end. */
const keptSteepest = 3
/** Shorter inputs measure mostly the call itself, and shorter times mostly the resolution of the clock. */
const minSteepBytes = 400
const minSteepMs = 0.05
/** From this time on the CPU time of the thread is used, which has a resolution of some milliseconds. */
const minCpuMs = 30

/** Divides the cases between the functions and runs them. */
export async function fuzz(targets: Target[], cases: number, seed: number, onProgress: (done: number) => void): Promise<Findings[]> {
  const random = randomSource(seed)
  const findings = targets.map((target): Findings => ({ target, cases: 0, slowest: undefined, steepest: [], errors: [] }))
  for (let done = 0; done < cases; done++) {
    const found = findings[done % findings.length]!
    const recipe = withShell(found.target, newRecipe(random, found.target.grammars), random)
    await tryOne(found, recipe, sizeOf(random(), random(), found.target.maxBytes))
    if (done % 1_000 === 0) onProgress(done)
  }
  onProgress(cases)
  for (const found of findings) await grow(found)
  return findings
}

/** Bytes: most inputs are short, one in a hundred as long as a short mail, one in five hundred up to the maximum. */
function sizeOf(kind: number, part: number, maxBytes: number): number {
  const [from, to] = kind < 0.9 ? [16, 4 * kB] : kind < 0.99 ? [4 * kB, 32 * kB] : kind < 0.998 ? [32 * kB, 256 * kB] : [256 * kB, 10 * MB]
  return Math.min(maxBytes, Math.round(from * (to / from) ** part))
}

function withShell({ shells }: Target, recipe: Recipe, random: () => number): Recipe {
  const shell = shells?.[Math.floor(random() * shells.length)]
  if (!shell) return recipe
  const [before, after] = shell
  return { description: `${JSON.stringify(before)} + ${recipe.description} + ${JSON.stringify(after)}`, make: (length) => before + recipe.make(length) + after }
}

async function tryOne(found: Findings, recipe: Recipe, length: number): Promise<Case | undefined> {
  const first = await measure(found, recipe, length)
  if (!first) return undefined
  const isSlow = shareOf(first) > shareOf(found.slowest)
  const isSteep = isSteeper(first, found.steepest)
  if (!isSlow && !isSteep) return first
  // the minimum of several measurements: compilation and garbage collection delay single ones
  const again = [first, await measure(found, recipe, length), await measure(found, recipe, length)]
  const best = again.reduce((a, b) => b && a && b.ms < a.ms ? b : a)!
  if (shareOf(best) > shareOf(found.slowest)) found.slowest = best
  if (isSteeper(best, found.steepest)) {
    found.steepest = [...found.steepest, best].sort((a, b) => steepness(b) - steepness(a)).slice(0, keptSteepest)
  }
  return best
}

const shareOf = (one: Case | undefined) => one ? one.ms / allowedMs(one.bytes) : 0
const steepness = ({ ms, bytes }: Case) => ms / bytes
const isSteeper = (one: Case, kept: Case[]) => one.bytes >= minSteepBytes && one.ms >= minSteepMs
  && (kept.length < keptSteepest || steepness(one) > steepness(kept.at(-1)!))

async function measure(found: Findings, recipe: Recipe, length: number): Promise<Case | undefined> {
  const { target, errors } = found
  found.cases++
  const input = cutBytes(recipe.make(length), target.maxBytes)
  const run = target.prepare(input)
  const [begun, cpuBegun] = [performance.now(), cpuMs()]
  try {
    const result = run()
    if (result instanceof Promise) await result
  } catch (error) {
    errors.push(`${recipe.description}: ${String(error)}`)
  }
  const ms = performance.now() - begun
  return { recipe, bytes: Math.max(1, Buffer.byteLength(input)), ms: ms < minCpuMs ? ms : Math.min(ms, cpuMs() - cpuBegun) }
}

function cutBytes(input: string, maxBytes: number): string {
  if (Buffer.byteLength(input) <= maxBytes) return input
  return Buffer.from(input).toString('utf8', 0, maxBytes)
}

/** CPU time of this thread in milliseconds, which other processes do not affect. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Repeatedly makes the slowest inputs per byte four times as long, which shows quadratic time of short patterns. */
async function grow(found: Findings): Promise<void> {
  for (const { recipe, bytes } of [...found.steepest, ...found.slowest ? [found.slowest] : []]) {
    for (let length = bytes * 4; length < found.target.maxBytes * 4; length *= 4) {
      const grown = await tryOne(found, recipe, Math.min(length, found.target.maxBytes))
      if (grown && shareOf(grown) > 1) break
    }
  }
}
