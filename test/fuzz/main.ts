import { allowedMs, fuzz, maxMsPerByte, maxShortMs } from './measure.ts'
import type { Findings } from './measure.ts'
import { targets } from './targets.ts'

/**
 * `npm run fuzz -- 100000 SEED`: measures every function that parses untrusted input with this many generated inputs. Exit code 1
 * when one blocks its thread longer than allowed.
 */
const cases = Number(process.argv[2] ?? 100_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const only = process.argv[4]
if (!Number.isInteger(cases) || cases < 1 || !Number.isInteger(seed)) throw new Error('usage: npm run fuzz -- [cases] [seed] [part of the name of a function]')
const measured = only === undefined ? targets : targets.filter(({ name }) => name.includes(only))

console.log(`${cases} cases for ${measured.length} functions, seed ${seed}`)
const begun = performance.now()
const findings = await fuzz(measured, cases, seed, (done) => {
  if (done % 20_000 === 0 && done > 0) console.log(`${done} after ${seconds()} s`)
})
const total = seconds()
console.log(`\n${'function'.padEnd(50)} ${'cases'.padStart(6)} ${'worst ms'.padStart(9)} ${'bytes'.padStart(9)} ${'ns/byte'.padStart(8)} ${'of allowed'.padStart(10)}`)
for (const found of findings) console.log(row(found))

const slow = findings.filter(({ slowest }) => slowest && slowest.ms > allowedMs(slowest.bytes))
const faulty = findings.filter(({ errors }) => errors.length > 0)
for (const { target, slowest } of slow) console.log(`\n${target.name} is too slow with: ${slowest!.recipe.description}`)
for (const { target, errors } of faulty) console.log(`\n${target.name} failed ${errors.length} times, first with ${errors[0]!.slice(0, 2_000)}`)
console.log(`\n${total} s. Allowed are ${maxShortMs} ms for up to ${Math.round(maxShortMs / maxMsPerByte / 1024)} kB, and 2 s for 10 MB.`)
if (slow.length + faulty.length > 0) process.exitCode = 1

function seconds() {
  return Math.round((performance.now() - begun) / 1000)
}

function row({ target, cases, slowest }: Findings): string {
  if (!slowest) return `${target.name.padEnd(50)} ${String(cases).padStart(6)}`
  const { ms, bytes, recipe } = slowest
  const share = ms / allowedMs(bytes) * 100
  return `${target.name.padEnd(50)} ${String(cases).padStart(6)} ${ms.toFixed(2).padStart(9)} ${String(bytes).padStart(9)} ${
    (ms / bytes * 1e6).toFixed(0).padStart(8)} ${`${share.toFixed(1)} %`.padStart(10)}  ${recipe.description.slice(0, 160)}`
}
