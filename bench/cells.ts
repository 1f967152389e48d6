import { setTimeout as pause } from 'node:timers/promises'
import { callAt, openCells } from '../test/support/cells.ts'
import { countArgument } from './count-argument.ts'

/**
 * `npm run bench -- cells [COUNT]`: the time of a GET with a key of the own cell of the node and of another, then of both beside requests
 * for a cell that is unavailable. The cells are in this process, with a PostgreSQL server of the tests.
 */
const count = countArgument(2_000)
await using world = await openCells(3)
const [a, b, c] = world.cells as [typeof world.cells[0], typeof world.cells[0], typeof world.cells[0]]
const path = '/addresses'
/** Between two requests for the third cell. */
const besideMs = 20

async function measure(name: string, key: string, status = 200) {
  const ms: number[] = []
  for (let i = 0; i < count; i++) {
    const begun = performance.now()
    const answer = await callAt(a, key, 'GET', path)
    if (answer.status !== status) throw new Error(`${answer.status} in place of ${status}`)
    ms.push(performance.now() - begun)
  }
  const sorted = ms.toSorted((x, y) => x - y)
  const at = (share: number) => `${sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1)} ms`
  console.log(`${name}: p50 ${at(0.5)}, p99 ${at(0.99)}`)
}

for (const cell of [a, b]) await measure('warming up', cell.key)
await measure('key of the own cell', a.key)
await measure('key of another cell', b.key)
for (const state of ['open', 'unavailable', 'silent'] as const) {
  c.set(state)
  let isOver = false
  const beside = (async () => {
    while (!isOver) await Promise.all([callAt(a, c.key, 'GET', path), pause(besideMs)])
  })()
  await measure(`key of the own cell, beside one client of a third cell that is ${state}`, a.key)
  await measure(`key of another cell, beside the same`, b.key)
  isOver = true
  await beside
  c.set('open')
  while ((await callAt(a, c.key, 'GET', path)).status !== 200) await new Promise(setImmediate)
}
