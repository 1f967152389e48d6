import type { Command } from 'commander'
import { oneLine } from '../output.ts'
import { RequestOption } from './options.ts'

/** A fault of a request, as the API reports it: `body.expiresIn`, `must be >= 60`. */
interface Detail {
  path: string
  message: string
}

/**
 * An error of the API in the terms of the command that made the request: `--expires-in: at least 60s`, each fault on a line.
 * @param text the whole error, which may say more than its only fault
 */
export function errorInOptions(command: Command, text: string, details: readonly Detail[]): string {
  if (details.length === 0) {
    const [beginning = '', member = ''] = /^(?:body\.)?([\w.]+): /.exec(text) ?? []
    const option = optionOf(command, member)
    return option ? `${option.long}: ${text.slice(beginning.length)}` : text
  }
  const lines = details.map((detail) => {
    const [, ...members] = detail.path.split('.')
    const member = members.map((_, i) => members.slice(0, members.length - i).join('.')).find((path) => optionOf(command, path)) ?? members[0] ?? ''
    const option = optionOf(command, member)
    const argument = command.registeredArguments.find((argument) => argument.name() === member)
    const name = option?.long ?? (argument ? `<${member}>` : detail.path)
    return `${oneLine(name)}: ${inWords(oneLine(detail.message), option instanceof RequestOption ? option.unit : undefined)}`
  })
  const [, wayOut] = details.length === 1 ? text.split(`${details[0]!.message}. `) : []
  return lines.join('\n') + (wayOut ? `. ${wayOut}` : '')
}

const optionOf = (command: Command, member: string) => command.options.find((option) => memberOf(option) === member)

/** The options of every command, which are no part of its request: `--url` names the server. */
const shared = ['url', 'json']

function memberOf(option: Command['options'][number]): string | undefined {
  if (option instanceof RequestOption && option.member !== undefined) return option.member
  const name = option.attributeName()
  return shared.includes(name) ? undefined : name
}

/** Without the wording of JSON Schema, and with units. */
function inWords(message: string, unit: 's' | undefined): string {
  return message
    .replace(/^must be >= (\d+)/, (_all, limit: string) => `at least ${withUnit(limit, unit)}`)
    .replace(/^must be <= (\d+)/, (_all, limit: string) => `at most ${withUnit(limit, unit)}`)
    .replace(/^must NOT have fewer than (\d+)/, 'at least $1')
    .replace(/^must NOT have more than (\d+)/, 'at most $1')
}

const units = { d: 86_400, h: 3600 }

/** `2592000` seconds → `30d`, `60` → `60s`, as the options take them. */
function withUnit(number: string, unit: 's' | undefined): string {
  if (unit === undefined) return number
  for (const [name, seconds] of Object.entries(units)) if (Number(number) % seconds === 0) return `${Number(number) / seconds}${name}`
  return `${number}s`
}
