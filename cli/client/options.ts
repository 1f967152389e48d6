import type { RawRequestOptions } from '@mayfly-mail/sdk'
import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'

/** The options that every command of the client has. */
export interface ClientOptions {
  url?: string
  json?: boolean
  /** Of a line for each result; then `json` is true, too. */
  format?: string
  /** Of a list. */
  wide?: boolean
}

/**
 * A command under `parent` that talks to a server.
 * @param examples lines of its help: a command, two spaces, and its description
 */
export function clientCommand(parent: Command, name: string, description: string, examples: string[]): Command {
  return withJson(withExamples(parent.command(name).description(description), examples).addOption(urlOption()))
}

/** A command under `parent` that works on the database. @param examples as for `clientCommand` */
export function operatorCommand(parent: Command, name: string, description: string, examples: string[]): Command {
  return withJson(withExamples(parent.command(name).description(description), examples))
}

export const withJson = (command: Command): Command => command.option('--json', 'one JSON document on stdout')
  .addOption(new Option('--format <text>', "a line for each result, with members of its JSON, such as '{id}'").argParser(parseFormat).implies({ json: true }))

function parseFormat(text: string): string {
  if (/\{[\w.-]+\}/.test(text)) return text
  throw new InvalidArgumentError("It takes a text with members of the JSON in braces, such as '{id}'.")
}

export const urlOption = (): Option => new Option('--url <url>', 'the URL of the server; default: MAYFLY_BASE_URL, else the login, else http://localhost:3000')

/** @param does the requests that it concerns */
export const dialectOption = (does: string): Option =>
  new Option('--dialect <dialect>', does).choices(['primary', 'classic'] satisfies RawRequestOptions['dialect'][])

export const wideOption = (): Option => new Option('--wide', 'whole ids and times, and uncut texts, on a terminal too')

export function withExamples(command: Command, examples: string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`)
}

export function limitOption(fallback = 20): Option {
  return new Option('--limit <number>', 'maximum number of items').argParser(wholeNumber(99_999)).default(fallback)
}

/** @returns the parser of a whole number from 1 up to a maximum */
export const wholeNumber = (max: number) => (text: string): number => {
  const number = Number(text)
  if (/^\d+$/.test(text) && text.length <= String(max).length && number >= 1 && number <= max) return number
  throw new InvalidArgumentError(`It takes a whole number from 1 to ${max}.`)
}

export const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** Whether a text can be the beginning or the end of an id. */
export const isIdPart = (text: string): boolean => text.length >= minPart && /^[0-9a-f-]{1,36}$/i.test(text)

/** Minimum characters of a part of an id, and for a change that cannot be undone. */
const minPart = 4
export const minPermanentPart = 8

/** An id, or a part of one (`find-by-part.ts`). */
export const parseId = (text: string): string => parsePart(text, minPart, '')

/** As `parseId`, for a change that cannot be undone. */
export const parsePermanentId = (text: string): string => parsePart(text, minPermanentPart, ', because the change cannot be undone')

function parsePart(text: string, minChars: number, reason: string) {
  if (isIdPart(text) && text.length >= minChars) return text
  throw new InvalidArgumentError(`It must be an id from a list, or at least ${minChars} characters of its beginning or its end${reason}.`)
}

/** An option that sets a member of a request, whose errors name the member. */
export class RequestOption extends Option {
  /** The member, where its name differs from that of the option. */
  member: string | undefined
  /** The unit of its value in the API. */
  unit: 's' | undefined

  sets(member: string): this {
    this.member = member
    return this
  }

  inSeconds(): this {
    this.unit = 's'
    return this
  }
}

/** The argument of commands on an address. */
export const which = 'the address, the part before its @, its id or a part of that'

const seconds = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86400 }

/** `30s`, `10m`, `1h`, `7d`, `500ms`, or a number of seconds. @returns seconds */
export function parseDuration(text: string): number {
  const [, number, unit = 's'] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)?$/.exec(text) ?? []
  const value = Number(number) * seconds[unit as keyof typeof seconds]
  if (value > 0) return value
  throw new InvalidArgumentError('It takes a time such as 30s, 10m, 1h or 7d, or a number of seconds.')
}
