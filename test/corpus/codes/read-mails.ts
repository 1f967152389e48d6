import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** A mail of a file in `mails/`, before a form makes a page of it. The README describes the files. */
export interface WrittenMail {
  /** Tag of the language, which is the name of its file. */
  language: string
  form: string
  charset: string
  /** Host of the sender. */
  host: string
  subject: string
  lines: string[]
  /** As a reader would type them, the one that the mail is for first. */
  codes: string[]
  /** Number of the link that the mail is for, among those of its lines, from 1 on; null without one. */
  link: number | null
  /** Position within its file, from 1 on. */
  position: number
  /** Words for the links that forms add: `view`, `unsub`, `privacy`. */
  phrases: ReadonlyMap<string, string>
}

/** Reads the mails of a folder, in the order of its files. */
export function readMails(folder: string): WrittenMail[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.txt')).sort()
  return files.flatMap((name) => readFile(basename(name, '.txt'), readFileSync(join(folder, name), 'utf8')))
}

function readFile(language: string, source: string): WrittenMail[] {
  const [phraseTable = '', ...mails] = source.split(/^# /m)
  const phrases = new Map(phraseTable.trim().split('\n').map((line) => {
    const [name = '', ...words] = line.split(' = ')
    return [name, words.join(' = ')]
  }))
  return mails.map((mail, i) => readMail(mail, { language, phrases, position: i + 1 }))
}

function readMail(source: string, place: Pick<WrittenMail, 'language' | 'phrases' | 'position'>): WrittenMail {
  const [header = '', subject = '', ...lines] = source.trim().split('\n')
  const [kind = '', host = '', codes = '', link = ''] = header.split(' ')
  const [form = '', charset = 'utf-8'] = kind.split(':')
  return {
    ...place, form, charset, host, subject,
    lines: lines.map((line) => line.replace(/^%(\w+)$/, (whole, name: string) => place.phrases.get(name) ?? unknownPhrase(place.language, whole))),
    codes: codes === '-' ? [] : codes.split(',').map((code) => code.replaceAll('_', ' ')),
    link: link === '-' ? null : Number(link),
  }
}

const unknownPhrase = (language: string, name: string): never => {
  throw new Error(`${language}.txt has no phrase ${name}`)
}
