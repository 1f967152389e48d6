import type { TestApp } from './app.ts'
import { signIn, sessionOf, useToken } from './sessions.ts'
import type { TestSession } from './sessions.ts'

export type Role = 'owner' | 'member' | 'viewer'

/** Invites a person. @returns the member, and the token of the link */
export async function invite(owner: TestSession, email: string, role: Role = 'member'): Promise<{ id: string, token: string }> {
  const { status, body } = await owner.api('POST', '/members', { body: { email, role } })
  if (status !== 201) throw new Error(`the invitation was answered ${status}: ${body.error}`)
  return { id: body.data.id, token: body.data.invitationUrl.split('#')[1] }
}

/** Signs in with the link of an invitation. */
export async function join(
  app: TestApp, owner: TestSession, { email = `m-${app.app.db.newId()}@example.org`, role = 'member', headers = {} }: { email?: string, role?: Role, headers?: Record<string, string> } = {},
): Promise<TestSession & { id: string }> {
  const { id, token } = await invite(owner, email, role)
  return { id, ...sessionOf(app, email, await useToken(app, token, headers)) }
}

/** A member with an own account, signed in by a link of the operator, whose session shows the account of another owner. */
export async function joinAndSwitch(app: TestApp, owner: TestSession, role: Role): Promise<TestSession & { id: string }> {
  const session = await signIn(app)
  const { id } = await invite(owner, session.email, role)
  const { accountId } = (await session.api('GET', '/memberships')).body.data.find(({ email }: { email: string }) => email === owner.email)
  await session.api('POST', '/sessions/switch', { body: { accountId } })
  return { id, ...session }
}
