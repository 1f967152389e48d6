import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { readMessage } from '../server/mime/read-message.ts'
import { codeCorpus } from '../test/corpus/codes/index.ts'
import type { CodeMail } from '../test/corpus/codes/index.ts'
import { judge, shareOf } from '../test/corpus/codes/judge.ts'
import type { Extracted, Verdict } from '../test/corpus/codes/judge.ts'
import { median } from './rounds.ts'

/**
 * Prints how many first codes and links of test/corpus/codes an extractor finds, by language and form, and its processor time.
 * `--extractor URL` posts `{ subject, text, html }` as JSON, with `--raw` the mail itself, and reads `{ codes, links }`.
 * `--extractor ./module.mjs` calls its default export with `{ raw, subject, text, html }`.
 * `--mails FOLDER` reads other mails, `--wrong` lists those that are not exact.
 */
const { values: { extractor, mails: folder, raw: sendsRaw, wrong: listsWrong } } = parseArgs({
  args: process.argv.slice(2), options: { extractor: { type: 'string' }, mails: { type: 'string' }, raw: { type: 'boolean' }, wrong: { type: 'boolean' } },
})

/** Rounds over all mails of a size before the measured ones, until V8 has optimized the code, as in a server that runs. */
const warmUps = 20
const rounds = 9
/** Of a round: the clock of a thread has steps of up to 4 ms. */
const minMailsOfRound = 2_000

type Extract = (mail: CodeMail) => Extracted | Promise<Extracted>

const extract = await openExtractor()
const mails = codeCorpus(folder && resolve(folder))
const results: { mail: CodeMail, verdict: Verdict }[] = []
for (const mail of mails) {
  const found = await extract(mail)
  const verdict = judge(mail, found)
  results.push({ mail, verdict })
  const isRight = ['exact', 'none'].includes(verdict.code) && verdict.link !== 'wrong'
  if (listsWrong && !isRight) console.log(`${mail.name} ${mail.form}: ${found.codes.join(', ') || 'none'} for ${mail.codes.join(', ') || 'none'} ${found.links[0] ?? ''}`)
}

const columns = ['mails', 'exact', 'wrong', 'missed', 'exact %', 'all', 'none', 'false', 'links', 'wrong']
for (const [title, keyOf] of [['language', ({ language }: CodeMail) => language], ['form', ({ form }: CodeMail) => form], ['all', () => 'all']] as const) {
  console.log(`\n${title.padEnd(12)}${columns.map((column) => column.padStart(9)).join('')}`)
  const keys = [...new Set(mails.map((mail) => keyOf(mail)))].sort()
  for (const key of keys) console.log(`${key.padEnd(12)}${figuresOf(results.filter(({ mail }) => keyOf(mail) === key)).map((figure) => figure.padStart(9)).join('')}`)
}
if (!extractor?.startsWith('http')) await printTimes()

function figuresOf(some: typeof results): string[] {
  const count = (...codes: Verdict['code'][]) => some.filter(({ verdict }) => codes.includes(verdict.code)).length
  const links = (link: Verdict['link']) => some.filter(({ verdict }) => verdict.link === link).length
  const hasCode = count('exact', 'wrong', 'missed')
  const hasAll = some.filter(({ mail, verdict }) => mail.codes.length > 0 && verdict.hasAllCodes).length
  return [
    some.length, count('exact'), count('wrong'), count('missed'), hasCode === 0 ? '–' : shareOf(count('exact'), hasCode).toFixed(1), hasAll,
    count('none'), count('false'), links('right'), links('wrong'),
  ].map(String)
}

async function openExtractor(): Promise<Extract> {
  if (!extractor) return ({ raw }) => readOurs(raw)
  if (!/^https?:/.test(extractor)) return (await import(pathToFileURL(resolve(extractor)).href) as { default: Extract }).default
  return async ({ raw, subject, text = '', html = '' }) => {
    const response = await fetch(extractor, {
      method: 'POST',
      headers: { 'content-type': sendsRaw ? 'message/rfc822' : 'application/json' },
      body: sendsRaw ? new Uint8Array(raw) : JSON.stringify({ subject, text, html }),
    })
    if (!response.ok) throw new Error(`${extractor} answered ${response.status}`)
    const { codes = [], links = [] } = await response.json() as Partial<Extracted>
    return { codes, links }
  }
}

function readOurs(raw: Buffer): Extracted {
  const { codes, links } = readMessage(raw)
  return { codes, links: links.map(({ url }) => url) }
}

/**
 * Prints the milliseconds of processor time for a mail of about 2 kB, and for one of any size: of the fastest round, since other processes
 * on the same core only add to it, and of the middle one. Ours include the MIME parser.
 */
async function printTimes(): Promise<void> {
  for (const [title, some] of [['2 kB', mails.filter(({ raw }) => raw.length > 1_700 && raw.length < 2_300)], ['any size', mails]] as const) {
    if (some.length === 0) continue
    const repeats = Math.ceil(minMailsOfRound / some.length)
    await extractAll(some, warmUps)
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const start = process.threadCpuUsage()
      await extractAll(some, repeats)
      const { user, system } = process.threadCpuUsage(start)
      times.push((user + system) / 1000 / some.length / repeats)
    }
    const size = some.reduce((sum, { raw }) => sum + raw.length, 0) / some.length
    console.log(`\n${title}: ${Math.min(...times).toFixed(3)} ms of processor time a mail, ${median(times).toFixed(3)} in the middle round (${some.length} mails, ${(size / 1000).toFixed(1)} kB on average)`)
  }
}

async function extractAll(some: CodeMail[], times: number): Promise<void> {
  for (let i = 0; i < times; i++) for (const mail of some) await extract(mail)
}
