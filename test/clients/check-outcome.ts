import { expect } from 'chai'
import type { Case, Expected, ExpectedError } from './cases.ts'
import type { CaseRequest, CaseServer } from './case-server.ts'
import type { Outcome, OutcomeError } from './outcome.ts'

/** Maximum memory of a client, in bytes, that a server may fill. */
const maxFilledBytes = 64 * 1024 * 1024
/** Maximum difference of a time in ms, which the work between two readings of the clock takes. */
const toleranceMs = 200
/** Minimum characters of a key that is masked: the mock takes any key. */
const minMaskedLength = 12

/** Compares the outcome of a case with its expectation. */
export async function checkOutcome({ expected }: Case, outcome: Outcome, server: CaseServer, apiKey: string): Promise<void> {
  const fill = <Value>(value: Value) => JSON.parse(JSON.stringify(value).replaceAll('{server}', server.url)) as Value
  if (expected.error) checkError(fill(expected.error), outcome)
  else {
    expect(outcome.error, 'the error').to.equal(undefined)
    checkPart(outcome.result, fill(expected.result), 'result')
  }
  await checkRequests(fill(expected), server.requests)
  checkTimes(expected, outcome)
  checkMask(outcome.shown, apiKey)
  for (const { isOpen, written, name } of await server.connections?.() ?? []) {
    if (name === '') continue // a spare connection of `fetch`, without a request
    expect(isOpen, 'a connection is open').to.equal(false)
    expect(written, 'bytes that the server could write').to.be.below(maxFilledBytes)
  }
}

function checkError({ message = [], ...wanted }: ExpectedError, { error, result }: Outcome) {
  if (!error) expect.fail(`there is no error, but the result ${JSON.stringify(result)}`)
  for (const [name, value] of Object.entries(wanted)) {
    expect(error[name as keyof OutcomeError] ?? null, `${name} of ${JSON.stringify(error)}`).to.deep.equal(value)
  }
  for (const part of message) expect(toCamel(error.message)).to.include(toCamel(part))
}

/** Names of options are in snake case in the texts of the Python SDK. */
const toCamel = (text: string) => text.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Compares the members that are expected; others may have any value. */
function checkPart(given: unknown, expected: unknown, place: string): void {
  if (Array.isArray(expected)) {
    expect(given, place).to.be.an('array').with.length(expected.length)
    expected.forEach((item, index) => checkPart((given as unknown[])[index], item, `${place}[${index}]`))
  } else if (typeof expected === 'object' && expected !== null) {
    expect(given, place).to.be.an('object')
    for (const [name, value] of Object.entries(expected)) checkPart((given as Record<string, unknown>)[name], value, `${place}.${name}`)
  } else expect(given ?? null, place).to.equal(expected)
}

async function checkRequests({ requests: count, paths, headers = {}, sameHeaders = {}, bodies }: Expected, requests: CaseRequest[]) {
  if (count !== undefined) expect(requests.map(({ path }) => path), 'requests').to.have.length(count)
  if (paths) expect(requests.map(({ method, path }) => `${method} ${path}`)).to.deep.equal(paths)
  for (const [name, value] of Object.entries(headers)) {
    expect(requests).to.not.have.length(0)
    for (const request of requests) expect(request.headers[name] ?? null, name).to.equal(value)
  }
  for (const [name, letters] of Object.entries(sameHeaders)) {
    expect(toLetters(requests.map((request) => request.headers[name])), name).to.equal(letters)
  }
  if (bodies) {
    expect(requests).to.have.length(bodies.length)
    for (const [index, body] of bodies.entries()) checkPart(JSON.parse(await requests[index]!.body || 'null'), body, `body ${index + 1}`)
  }
}

/** A letter for each value, in the order of their first appearance; `-` for none. */
function toLetters(values: (string | string[] | undefined)[]): string {
  const known = [...new Set(values.filter((value) => value !== undefined))]
  return values.map((value) => value === undefined ? '-' : String.fromCharCode(97 + known.indexOf(value))).join('')
}

function checkTimes({ pausesMs, intervalsMs, maxElapsedMs }: Expected, { pauses, elapsedMs }: Outcome) {
  if (pausesMs) expect(pauses.map(({ pauseMs }) => Math.round(pauseMs)), 'pauses').to.deep.equal(pausesMs)
  if (intervalsMs) expect(pauses, 'pauses').to.have.length(intervalsMs.length)
  for (const [index, wantedMs] of intervalsMs?.entries() ?? []) {
    const { pauseMs, intervalMs } = pauses[index]!
    // an attempt that took longer, on a machine with other work, is repeated at once
    expect(intervalMs, `interval ${index + 1}`).to.be.closeTo(Math.max(wantedMs, intervalMs - pauseMs), toleranceMs)
  }
  if (maxElapsedMs !== undefined) expect(elapsedMs, 'elapsed time').to.be.at.most(maxElapsedMs)
}

/** No text of the client may have the key, plain or with all characters escaped. */
function checkMask(shown: string, apiKey: string) {
  if (apiKey.length < minMaskedLength) return
  const codes = Array.from(apiKey, (character) => character.charCodeAt(0).toString(16))
  for (const form of [apiKey, codes.map((hex) => `\\u00${hex}`).join(''), codes.map((hex) => `%${hex}`).join('')]) {
    // printed texts double each backslash
    expect(shown.replaceAll('\\\\', '\\').toLowerCase()).to.not.include(form.toLowerCase())
  }
}
