import { join, line, paint, sayOver } from '../output.ts'

/** Milliseconds between two pictures of a bar. */
const pictureMs = 100
const barLength = 30

/** Gets the part of the work that is done, in the same unit as all of it. */
type OnProgress = (done: number, total: number) => void

/**
 * Shows a bar on stderr while work runs, where stderr is a terminal.
 * @param work gets undefined where nothing is shown
 */
export async function withProgress<T>(title: string, work: (onProgress: OnProgress | undefined) => T | Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work(undefined)
  const startedAt = performance.now()
  let shownAt = -Infinity
  try {
    return await work((done, total) => {
      const now = performance.now()
      if (now - shownAt < pictureMs && done < total) return
      shownAt = now
      sayOver(bar(title, total === 0 ? 1 : done / total, now - startedAt))
    })
  } finally {
    if (shownAt > 0) sayOver('')
  }
}

function bar(title: string, part: number, ms: number) {
  const full = Math.round(part * barLength)
  const left = part > 0 && ms > minMs ? `${Math.ceil(ms / part * (1 - part) / 1000)} s left` : ''
  return join([
    line`${title}`, line`${paint('green', '█'.repeat(full))}${paint('dim', '░'.repeat(barLength - full))}`, line`${Math.floor(part * 100)} %`, left,
  ], ' ')
}

/** Time after which the rest is estimated. */
const minMs = 2_000
