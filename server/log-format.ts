import { prettyFactory } from 'pino-pretty'

/** Makes a readable line of a JSON line of the log. @param isColoured whether the terminal shows colours */
export function lineFormat(isColoured: boolean): (json: string) => string {
  const format = prettyFactory({
    colorize: isColoured, colorizeObjects: isColoured, singleLine: true, translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid,hostname',
  })
  return (json) => format(withoutControls(json))
}

/** Removes control characters and bidi controls from the strings of a JSON document, escaped or not, against escape sequences in them. */
const withoutControls = (json: string): string => json
  .replaceAll(/\\(?:\\|[bfrt]|u00[01][\da-f])/gi, (escape) => escape === '\\\\' ? escape : '')
  .replaceAll(/[^\n\P{Cc}]|[\p{Bidi_Control}\u2028\u2029]/gu, '')
