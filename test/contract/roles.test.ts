import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { joinAndSwitch } from '../support/members.ts'
import type { Role } from '../support/members.ts'
import { rawRequest } from '../support/raw-request.ts'
import { sameOrigin, signIn } from '../support/sessions.ts'
import type { TestSession } from '../support/sessions.ts'
import { allOperations, exampleRequest } from './requests.ts'

type Operation = typeof allOperations[number]

/** Operations for owners alone. */
const ofOwners = ['members.list', 'members.create', 'members.update', 'members.delete', 'apiKeys.create', 'apiKeys.revoke']
/** Changes that are no change of the account: of the own session, of a person without one, and of an administrator. */
const ofEveryone = [
  'signInLinks.create', 'sessions.create', 'sessions.switch', 'sessions.deleteAll', 'sessions.delete', 'accounts.create', 'accounts.update', 'accounts.delete',
]

/** The role that the document implies: a viewer reads. A new operation of the document is a change for members by its method. */
const neededFor = ({ operationId, method }: Operation): Role =>
  ofOwners.includes(operationId) ? 'owner' : ofEveryone.includes(operationId) || method === 'get' ? 'viewer' : 'member'

const roles: Role[] = ['owner', 'member', 'viewer']

describe('Roles: every operation of the document', () => {
  let app: TestApp
  let owner: TestSession
  const sessions = new Map<Role, TestSession>()

  before(async () => {
    app = await openTestApp()
    owner = await signIn(app)
    for (const role of roles) sessions.set(role, await joinAndSwitch(app, owner, role))
  })
  after(() => app[Symbol.asyncDispose]())

  const ask = (role: Role, operation: Operation) =>
    rawRequest(app.url, exampleRequest(operation, { cookie: sessions.get(role)!.cookie, ...sameOrigin }))

  /** Asked for with headers alone, since its answer does not end. */
  const isStream = ({ operationId }: Operation) => operationId === 'events.stream'
  /** They end the session, so they are asked for last. */
  const order = ({ operationId }: Operation) => Number(operationId === 'sessions.deleteAll')
  const asked = allOperations.filter((operation) => !isStream(operation)).toSorted((a, b) => order(a) - order(b))

  for (const operation of asked) {
    const { operationId } = operation
    const needed = neededFor(operation)
    it(`${operationId} is for ${needed === 'viewer' ? 'everyone' : `a role of ${needed} at least`}`, async () => {
      for (const role of roles) {
        const { status, json } = await ask(role, operation)
        const mayNot = roles.indexOf(role) > roles.indexOf(needed)
        const text = `This needs the role ${needed} in the account, and yours is ${role}. Ask an owner of the account to change it.`
        if (mayNot) expect([status, json], role).to.deep.equal([403, { error: text, code: 'MISSING_SCOPE' }])
        else expect(json?.error, `${role}: ${status}`).to.not.equal(text)
      }
    })
  }

  it('events.stream is for everyone', async () => {
    const { cookie } = await joinAndSwitch(app, owner, 'viewer')
    const gone = new AbortController()
    expect((await fetch(`${app.url}/api/v1/events`, { headers: { cookie }, signal: gone.signal })).status).to.equal(200)
    gone.abort()
  })
})
