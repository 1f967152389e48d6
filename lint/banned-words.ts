import { readFileSync } from 'node:fs'

/** A banned word or phrase of STYLE.md. */
export interface BannedWord {
  /** As the table writes it. */
  word: string
  pattern: RegExp
  /** The words to use instead. */
  instead: string
}

export interface BannedWords {
  /** Match a sentence. */
  text: BannedWord[]
  /** Match a name in code, or one of a file. */
  names: BannedWord[]
}

const styleFile = new URL('../STYLE.md', import.meta.url)

/** Reads the tables below the headings "Banned in text" and "Banned in names". */
export function readBannedWords(style = readFileSync(styleFile, 'utf8')): BannedWords {
  return { text: readTable(style, 'Banned in text', textPattern), names: readTable(style, 'Banned in names', namePattern) }
}

/** @throws Error when there is no such table: the check would find nothing */
function readTable(style: string, heading: string, toPattern: (word: string) => RegExp): BannedWord[] {
  const section = style.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| `')).map((line) => line.split('|').map((cell) => cell.trim()))
  if (rows.length === 0) throw new Error(`STYLE.md has no table "${heading}"`)
  return rows.flatMap(([, words = '', instead = '']) => Array.from(words.matchAll(/`([^`]+)`/g), ([, word]) => (
    { word: word!, pattern: toPattern(word!), instead }
  )))
}

/** `^` is the begin of a sentence, `*` any letters. */
function textPattern(word: string): RegExp {
  const body = word.replace(/^\^/, '').replaceAll('*', '\\w+').replaceAll(' ', '\\s+')
  return new RegExp(word.startsWith('^') ? `^${body}\\b` : `\\b${body}\\b`, 'i')
}

/** `…` is at least one further word of a camelCase name. */
function namePattern(word: string): RegExp {
  if (word.startsWith('…')) return new RegExp(`[a-z\\d]${word.slice(1)}(?![a-z])`)
  if (word.endsWith('…')) return new RegExp(`^[${word[0]}${word[0]!.toUpperCase()}]${word.slice(1, -1)}[A-Z]`)
  return new RegExp(`^${word}$`, 'i')
}
