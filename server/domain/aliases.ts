import { randomInt } from 'node:crypto'
import { postmaster } from '../mailbox.ts'

const adjectives = ('amber brisk calm coral crisp dapper eager fern gentle golden hazel ivory jolly keen lively lucky maple mellow ' +
  'misty noble olive pearl plucky quiet rosy rustic sandy silver snowy solar spry sunny swift teal tidy umber velvet vivid warm zesty').split(' ')
const animals = ('badger bee beetle bison crane cricket dove egret falcon ferret finch firefly fox gecko hare heron ibis jay koala lark ' +
  'lemur lynx marten mayfly mole moth newt otter owl panda quail raven robin seal shrew sparrow swan tern vole wren').split(' ')
/** Without characters that look alike. */
const letters = '23456789abcdefghjkmnpqrstuvwxyz'
const tailLength = 13

/** Aliases that belong to the operator of the default domain (RFC 2142). */
const reserved = new Set([postmaster, 'abuse', 'hostmaster', 'mailer-daemon', 'no-reply', 'noreply'])

/** Whether no account may have this alias at the default domain. */
export const isReserved = (alias: string): boolean => reserved.has(alias)

/** A readable alias; its tail alone has more than 64 random bits, so it cannot be guessed. */
export function randomAlias(): string {
  const tail = Array.from({ length: tailLength }, () => letters[randomInt(letters.length)]).join('')
  return `${pick(adjectives)}-${pick(animals)}-${tail}`
}

const pick = (words: string[]) => words[randomInt(words.length)]
