import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { serve } from '../cli/run.ts'
import { blocksOf, root } from './page.ts'

// `npm run node -- test/docs/recording.ts`: runs the commands of the README from the start to the first mail, and writes them with their
// real output into docs/pictures/first-mail.svg, which types them in ten seconds.

const loopSeconds = 12
const typingSeconds = 0.9
const [columns, lineHeight, charWidth, margin] = [116, 22, 8.43, 18]

interface Line {
  text: string
  /** When it begins to be typed, or is shown, in seconds. */
  at: number
  isTyped: boolean
}

const folder = await mkdtemp(join(tmpdir(), 'mayfly-recording-'))
const lines: Line[] = []
let at = 0.3
try {
  const [start, first] = blocksOf('README.md', 'sh').map(({ code }) => commandsIn(code))
  await using served = await serve({ MAYFLY_DATABASE: join(folder, 'mayfly.db'), MAYFLY_BASE_URL: 'http://localhost:3000' })
  const text = served.lines.join('\n')
  const [, url, smtpPort] = /listening http=(\S+) smtp=\S+:(\d+)/.exec(text)!
  const key = /svc_live_\w+/.exec(text)![0]

  type(start![0]!)
  show(text.replaceAll(url!, 'http://127.0.0.1:3000').replace(`smtp=127.0.0.1:${smtpPort}`, 'smtp=127.0.0.1:2525'))
  lines.push({ text: '', at, isTyped: false })
  for (const command of first!.filter((line) => !line.startsWith('export '))) {
    type(command)
    const script = command.replaceAll('npx mayfly', `'${process.execPath}' '${root}/cli/mayfly.js'`).replace('127.0.0.1:2525', `127.0.0.1:${smtpPort}`)
    show((await promisify(execFile)('sh', ['-c', script], { env: { ...process.env, MAYFLY_API_KEY: key, MAYFLY_BASE_URL: url } })).stdout)
  }
} finally {
  await rm(folder, { recursive: true })
}
await mkdir(join(root, 'docs/pictures'), { recursive: true })
writeFileSync(join(root, 'docs/pictures/first-mail.svg'), picture(lines))

/** The commands of a block without their comments; a line that ends with a pipe goes on in the next. */
function commandsIn(code: string): string[] {
  return code.replaceAll(/ +#.*$/gm, '').trim().split(/(?<!\|)\n/)
}

function type(command: string) {
  for (const [i, text] of command.split('\n').entries()) {
    lines.push({ text: i === 0 ? `$ ${text}` : text, at, isTyped: true })
    at += typingSeconds
  }
  at += 0.3
}

/** Output of a command, without most of its secrets. */
function show(output: string) {
  for (const line of output.trimEnd().split('\n')) {
    if (line) lines.push({ text: line.replaceAll(/(svc_live_\w{4}|sign-in#\w{4})[\w-]+/g, '$1…').slice(0, columns), at, isTyped: false })
  }
  at += 0.9
}

function picture(all: Line[]): string {
  const [width, height] = [Math.ceil(columns * charWidth) + 2 * margin, all.length * lineHeight + 2 * margin]
  const percent = (seconds: number) => `${Number((seconds / loopSeconds * 100).toFixed(2))}%`
  const rules = all.map((line, i) => line.isTyped
    ? `@keyframes t${i}{0%,${percent(line.at)}{transform:none}${percent(line.at + typingSeconds)},100%{transform:translateX(${width}px)}}#t${i}{animation:t${i} ${loopSeconds}s steps(${columns}) infinite}`
    : `@keyframes t${i}{0%,${percent(line.at)}{opacity:0}${percent(line.at + 0.01)},100%{opacity:1}}#t${i}{animation:t${i} ${loopSeconds}s infinite}`)
  const rows = all.map(({ text, isTyped }, i) => {
    const y = margin + (i + 0.75) * lineHeight
    const row = `<text x="${margin}" y="${y}" class="${isTyped ? 'c' : 'o'}"${isTyped ? '' : ` id="t${i}"`}>${escape(text)}</text>`
    return isTyped ? `${row}<rect id="t${i}" class="v" x="${margin}" y="${margin + i * lineHeight}" width="${width}" height="${lineHeight}"/>` : row
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="The server starts, an address is issued, a mail arrives, and its code is printed">
<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}.c{fill:#fff}.o{fill:#9fd9c2}.b,.v{fill:#1b1f24}.v{visibility:hidden}
@media (prefers-reduced-motion:no-preference){.v{visibility:visible}
${rules.join('\n')}}</style>
<clipPath id="edge"><rect width="${width}" height="${height}" rx="10"/></clipPath>
<g clip-path="url(#edge)"><rect class="b" width="${width}" height="${height}"/>
${rows.join('\n')}
</g></svg>
`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
