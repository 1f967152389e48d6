import { randomInt } from 'node:crypto'
import type { Config } from '../config.ts'
import { postmaster } from '../mailbox.ts'

const adjectives = ('amber brisk calm coral crisp dapper eager fern gentle golden hazel ivory jolly keen lively lucky maple mellow ' +
  'misty noble olive pearl plucky quiet rosy rustic sandy silver snowy solar spry sunny swift teal tidy umber velvet vivid warm zesty').split(' ')
const animals = ('badger bee beetle bison crane cricket dove egret falcon ferret finch firefly fox gecko hare heron ibis jay koala lark ' +
  'lemur lynx marten mayfly mole moth newt otter owl panda quail raven robin seal shrew sparrow swan tern vole wren').split(' ')
/** Without characters that look alike. */
const letters = '23456789abcdefghjkmnpqrstuvwxyz'
const tailLength = 13

/** Aliases of the default domain that belong to its operator, by the source that gives them a meaning. */
const reservedBySource = {
  // by mail to these, certificate authorities prove control over a domain
  'CA/Browser Forum, Baseline Requirements, section 3.2.2.4.4': 'admin administrator hostmaster postmaster webmaster',
  'RFC 2142': 'abuse noc security info marketing sales support hostmaster usenet news webmaster www uucp ftp',
  'formerly accepted by certificate authorities': 'root ssladmin ssladministrator sslwebmaster sysadmin is it mis',
  'addresses of reports: RFC 7489, RFC 8460, RFC 8657': 'dmarc dmarc-reports tls-rpt tls-reports caa iodef',
  'senders of mail systems': 'mailer-daemon daemon mail bounce bounces no-reply do-not-reply nobody mayfly',
  'names that people trust': 'owner operator system sysop staff help helpdesk billing legal privacy cert csirt psirt',
}

/** Roles whose mail is received: RFC 5321, section 4.5.1, and RFC 2142, section 4. */
const receivedRoles = new Set([postmaster, 'abuse'])

export const isReceivedRole = (alias: string): boolean => receivedRoles.has(alias)

/** `ssl-admin` and `web.master` are as good as the names without these characters. */
const plain = (alias: string) => alias.toLowerCase().replaceAll(/[._-]/g, '')

const reserved = new Set(Object.values(reservedBySource).join(' ').split(' ').map(plain))

type Additions = Pick<Config, 'reservedAliases'>

/** All reserved aliases, without dots, hyphens and underscores. */
export const reservedNames = ({ reservedAliases }: Additions): string[] => [...reserved, ...reservedAliases.map(plain)]

/** Whether no account may have this alias at the default domain. */
export const isReserved = ({ reservedAliases }: Additions, alias: string): boolean =>
  reserved.has(plain(alias)) || reservedAliases.some((name) => plain(name) === plain(alias))

/** A readable alias; its tail alone has more than 64 random bits, so it cannot be guessed. */
export function randomAlias(): string {
  const tail = Array.from({ length: tailLength }, () => letters[randomInt(letters.length)]).join('')
  return `${pick(adjectives)}-${pick(animals)}-${tail}`
}

const pick = (words: string[]) => words[randomInt(words.length)]
