import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Names and colours by the level of pino. */
const levels: Record<number, { name: string, style: Style }> = {
  10: { name: 'TRACE', style: 'gray' },
  20: { name: 'DEBUG', style: 'blue' },
  30: { name: 'INFO', style: 'green' },
  40: { name: 'WARN', style: 'yellow' },
  50: { name: 'ERROR', style: 'red' },
  60: { name: 'FATAL', style: 'bgRed' },
}

interface Line {
  level: number
  /** Milliseconds since 1970. */
  time: number
  msg?: string
  err?: { stack?: string, [member: string]: unknown }
  [member: string]: unknown
}

/**
 * Makes a readable line of a JSON line of the log; the stack of an error follows it.
 * @param isColoured whether the terminal shows colours
 */
export function lineFormat(isColoured: boolean): (json: string) => string {
  const styled = (style: Style, text: string) => isColoured ? styleText(style, text, { validateStream: false }) : text
  return (json) => {
    const { level, time, msg = '', err, ...others } = JSON.parse(withoutControls(json)) as Line
    const { name, style } = levels[level] ?? { name: String(level), style: 'white' }
    const stack = err?.stack ?? others['stack'] // of an error that is logged in place of members
    const shown = { ...without(others, 'pid', 'hostname', 'stack'), ...err && { err: without(err, 'stack') } }
    const parts = [
      `[${timeOfDay(new Date(time))}] ${styled(style, name)}:`,
      ...msg === '' ? [] : [styled('cyan', msg)],
      ...Object.keys(shown).length === 0 ? [] : [styled('gray', JSON.stringify(shown))],
    ]
    const indented = typeof stack === 'string' ? stack.replaceAll(/^/gm, '    ') + '\n' : ''
    return `${parts.join(' ')}\n${indented}`
  }
}

const without = (object: Record<string, unknown>, ...names: string[]) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

/** As `09:05:07.012`, in the time zone of this machine. */
const timeOfDay = (date: Date): string => {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

/** Removes control characters and bidi controls from the strings of a JSON document, escaped or not, against escape sequences in them. */
const withoutControls = (json: string): string => json
  .replaceAll(/\\(?:\\|[bfrt]|u00[01][\da-f])/gi, (escape) => escape === '\\\\' ? escape : '')
  .replaceAll(/[^\n\P{Cc}]|[\p{Bidi_Control}\u2028\u2029]/gu, '')
