import { expect } from 'chai'
import type { Scope } from '../../server/contract/types.gen.ts'
import { unknownId } from '../contract/requests.ts'
import { expectRefused } from './world.ts'
import type { SpecWorld } from './world.ts'

export interface World extends SpecWorld {
  address: { id: string, address: string }
  emailId: string
  forwardTo: { id: string }
}

type Members = (world: World) => Promise<Record<string, unknown>> | Record<string, unknown>

/** An endpoint of the specification. */
export interface Endpoint {
  scope: Scope
  /** 200 by default. */
  status?: number
  /** The ids of the path, of existing resources. */
  ids?: (world: World) => Promise<string[]> | string[]
  /** The parameters of the query, each with a value; all are optional. */
  query?: Members
  /** The members of the body. */
  required?: Members
  optional?: Members
  /** Members of the reply; `[]` stands for the items of a list. A `data` that is not named must be absent. */
  reply?: string[]
  /** Members that the reply must not have. */
  without?: string[]
  headers?: Record<string, string>
}

/** Calls an endpoint with all its parameters, with the required ones alone, without each required one, and with unknown ids. */
export async function holds(world: World, row: string, endpoint: Endpoint) {
  const { scope, status = 200, reply = [], without = [], headers = {} } = endpoint
  const [method, path] = row.split(' ') as [string, string]
  const key = await world.keyWith([scope])
  const ids = await endpoint.ids?.(world) ?? []
  const ask = (body?: Record<string, unknown>, query: Record<string, unknown> = {}, of = ids) => {
    let used = 0
    const filled = path.slice('/api/v1'.length).replaceAll(/:\w+/g, () => of[used++]!)
    return world.app.api(method, `${filled}?${new URLSearchParams(query as Record<string, string>)}`, { key, body })
  }
  const required = await endpoint.required?.(world)
  const optional = await endpoint.optional?.(world)

  const answer = await ask((required || optional) && { ...required, ...optional }, await endpoint.query?.(world))
  expect(answer.status, JSON.stringify(answer.body)).to.equal(status)
  const members = Buffer.isBuffer(answer.body) ? [] : membersOf(answer.body)
  expect(members).to.include.members(reply)
  for (const member of without) expect(members).to.not.include(member)
  if (!reply.some((member) => member.startsWith('data'))) expect(members).to.not.include('data')
  for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name)).to.equal(value)

  if (endpoint.query || optional) expect((await ask(optional && { ...await endpoint.required?.(world) })).status).to.equal(status)
  for (const name of Object.keys(required ?? {})) expectRefused(await ask({ ...required, [name]: undefined }), `body.${name}`)
  if (ids.length > 0) {
    const unknown = await ask(optional, {}, ids.map(() => unknownId))
    expect([unknown.status, unknown.body.code]).to.deep.equal([404, 'NOT_FOUND'])
  }
}

/** The paths of all members: `data`, `data.addresses[]`, `data.addresses[].id`. */
function membersOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return [`${path}[]`, ...value.flatMap((item) => membersOf(item, `${path}[]`))]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const here = path ? `${path}.${name}` : name
    return [here, ...membersOf(member, here)]
  })
}
