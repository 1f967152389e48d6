import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { createTransport } from 'nodemailer'
import type { CDPSession, Page } from 'playwright-core'
import { openDashboard } from '../test/support/dashboard.ts'
import type { Dashboard } from '../test/support/dashboard.ts'
import { countArgument } from './count-argument.ts'

/**
 * `npm run bench -- dashboard [MAILS]`: the page Mail of an account with that many mails (10,000 by default): its first load, the frames of
 * scrolling through all of them, and its memory while 1,000 mails arrive. Mails are sent over SMTP.
 */
const mails = countArgument(10_000)
const arriving = 1_000
const stepPixels = 900

await using dashboard = await openDashboard({ env: { MAYFLY_RATE_LIMIT: '0' } })
const { address } = await dashboard.app.newAddress()
await send(dashboard, mails)
const page = await dashboard.openPage({ viewport: { width: 1280, height: 900 } })
const protocol = await page.context().newCDPSession(page)

const loaded = await listScripts(protocol)
const firstMs = await timeOf(page, 'ignore')
const brotliBytes = [...loaded].reduce((sum, name) => sum + statSync(`dashboard/dist/assets/${name}.br`).size, 0)
const laterMs = await timeOf(page, 'keep')
console.log(`first load of /mail with ${mails} mails: ${brotliBytes} bytes of JavaScript (brotli, which browsers take over HTTPS), rows after ${firstMs} ms; again after ${laterMs} ms`)
const slow = await loadSlowly(page)
console.log(`at 1.6 Mbit/s with a delay of 150 ms: first paint after ${slow.paintMs} ms, rows after ${slow.rowsMs} ms, layout shift ${slow.shift}`)

const frames = await scrollToEnd(page)
console.log(`scrolling through ${frames.rows} rows, ${stepPixels} px a frame: ${frames.count} frames, p50 ${frames.p50} ms, p99 ${frames.p99} ms, ` +
  `longest ${frames.longest} ms; script and layout p99 ${frames.workP99} ms, longest ${frames.workLongest} ms`)

const before = await heapBytes(protocol)
await send(dashboard, arriving)
await page.waitForTimeout(2_000) // the last rounds of loading
const after = await heapBytes(protocol)
console.log(`memory: ${megabytes(before)} before, ${megabytes(after)} after ${arriving} more mails`)

/** Milliseconds from the navigation to the first row of a mail. @param cache whether the files of the page may come from the cache */
async function timeOf(page: Page, cache: 'ignore' | 'keep'): Promise<number> {
  await protocol.send('Network.setCacheDisabled', { cacheDisabled: cache === 'ignore' })
  await page.goto(`${dashboard.url}/mail/all`)
  await page.locator('[data-mail]').first().waitFor()
  return Math.round(await page.evaluate(() => performance.now()))
}

/** The first load over a slow mobile network, without a cache. */
async function loadSlowly(page: Page) {
  const network = (latency: number, throughput: number) => protocol.send('Network.emulateNetworkConditions', {
    offline: false, latency, downloadThroughput: throughput, uploadThroughput: throughput,
  })
  await network(150, 200_000)
  const rowsMs = await timeOf(page, 'ignore')
  await network(0, -1)
  const { paintMs, shift } = await page.evaluate(async () => {
    const shifts = await new Promise<PerformanceEntryList>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type: 'layout-shift', buffered: true })
      setTimeout(() => resolve([]), 500)
    })
    const paint = performance.getEntriesByName('first-contentful-paint')[0]!.startTime
    const valueOf = (entry: PerformanceEntry) => (entry as PerformanceEntry & { value: number }).value
    return { paintMs: Math.round(paint), shift: shifts.reduce((sum, entry) => sum + valueOf(entry), 0) }
  })
  await timeOf(page, 'keep')
  return { rowsMs, paintMs, shift }
}

/** @returns the names of the scripts that the page has loaded so far */
async function listScripts(protocol: CDPSession): Promise<Set<string>> {
  const names = new Set<string>()
  protocol.on('Network.responseReceived', ({ type, response }) => { if (type === 'Script') names.add(basename(response.url)) })
  await protocol.send('Network.enable')
  return names
}

/** Scrolls down in each frame until no row follows. */
function scrollToEnd(page: Page) {
  return page.evaluate(async ([step, total]) => {
    const list = document.querySelector<HTMLElement>('[data-mail-scroller]')!
    const times: number[] = []
    const work: number[] = []
    const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
    let [last, still] = [await nextFrame(), 0]
    const lastShown = () =>
      Math.max(0, ...[...list.querySelectorAll('[aria-posinset]')].map((row) => Number(row.getAttribute('aria-posinset'))))
    while (still < 240 && lastShown() < total!) {
      const top = list.scrollTop
      const begun = performance.now()
      list.scrollTop += step!
      void list.scrollHeight
      work.push(performance.now() - begun)
      const now = await nextFrame()
      times.push(now - last)
      last = now
      still = list.scrollTop === top ? still + 1 : 0
    }
    const at = (values: number[], part: number) =>
      Math.round(values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1]! * 10) / 10
    return {
      rows: lastShown(), count: times.length, p50: at(times, 0.5), p99: at(times, 0.99), longest: at(times, 1),
      workP99: at(work, 0.99), workLongest: at(work, 1),
    }
  }, [stepPixels, mails])
}

async function heapBytes(protocol: CDPSession): Promise<number> {
  await protocol.send('HeapProfiler.collectGarbage')
  return (await protocol.send('Runtime.getHeapUsage')).usedSize
}

async function send({ app }: Dashboard, count: number): Promise<void> {
  const [host, port] = app.app.smtp.address.split(':')
  const transport = createTransport({ pool: true, maxConnections: 20, maxMessages: Infinity, host, port: Number(port), ignoreTLS: true })
  await Promise.all(Array.from({ length: count }, (_, i) =>
    transport.sendMail({ from: 'shop@example.org', to: address, subject: `Order ${i}`, text: `Your code is ${100_000 + i}.` })))
  transport.close()
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
