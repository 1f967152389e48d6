import { expect } from 'chai'
import { openTestApp, shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { invite, join, joinAndSwitch } from '../support/members.ts'
import { newToken, sessionOf, signIn, useToken } from '../support/sessions.ts'
import type { TestSession } from '../support/sessions.ts'
import { createAccount } from '../support/store/accounts.ts'
import { rowsOf } from '../support/store/rows.ts'
import { sourcesOf } from '../support/store/sources.ts'

const membersOf = async ({ api }: TestSession) => (await api('GET', '/members')).body.data as any[]
const accountsOf = async ({ api }: TestSession) =>
  (await api('GET', '/memberships')).body.data.map(({ email, role, isCurrent }: any) => [email, role, isCurrent])
const accountIdOf = async ({ api }: TestSession) => (await api('GET', '/account')).body.data.id as string

async function ownSession(app: TestApp, email: string): Promise<TestSession> {
  return sessionOf(app, email, await useToken(app, await newToken(app, email)))
}

describe('Member', () => {
  const newAccount = shareTestApp()

  it('is invited with a link that is shown once, works once, and for 7 days', async () => {
    await using app = await openTestApp()
    const owner = await signIn(app)
    const headers = { 'idempotency-key': 'once' }
    const call = { body: { email: 'Lin@Example.org', role: 'viewer' }, headers }
    const { status, body } = await owner.api('POST', '/members', call)
    const now = app.app.clock.now()
    const { invitationUrl, ...member } = body.data
    expect([status, member]).to.deep.equal([201, {
      id: member.id, email: 'lin@example.org', role: 'viewer', isFirst: false, state: 'invited', createdAt: new Date(now).toISOString(),
      invitationExpiresAt: new Date(now + 7 * 24 * 3_600_000).toISOString(),
    }])
    expect((await owner.api('POST', '/members', call)).body.data).to.deep.equal(member)
    expect(await membersOf(owner)).to.deep.equal([{
      id: await accountIdOf(owner), email: owner.email, role: 'owner', isFirst: true, state: 'joined',
      createdAt: (await owner.api('GET', '/account')).body.data.createdAt, invitationExpiresAt: null,
    }, member])
    const token = invitationUrl.replace(`${app.app.baseUrl()}/sign-in#`, '')
    expect(JSON.stringify(await rowsOf(app, 'members'))).to.not.include(token)

    await app.advance({ days: 6, hours: 23 })
    const answers = await Promise.all([useToken(app, token), useToken(app, token)])
    expect(answers.map((answer) => answer.status).sort()).to.deep.equal([201, 404])
    const lin = sessionOf(app, 'lin@example.org', answers.find((answer) => answer.status === 201)!)
    expect((await lin.api('GET', '/account')).body.data).to.deep.include({ email: owner.email, userEmail: 'lin@example.org', role: 'viewer', hasOthers: false })
    expect((await membersOf(owner))[1]).to.include({ state: 'joined', invitationExpiresAt: null })

    const late = await invite(owner, 'late@example.org')
    await app.advance({ days: 7 })
    const refused = await useToken(app, late.token)
    expect([refused.status, refused.body.error]).to.deep.equal([404,
      'This link is unknown, was used, or has expired: a sign-in link holds for 15 minutes, an invitation for 7 days. Request a new one.'])
  })

  it('that has not joined can be invited again, which ends the earlier link', async () => {
    const app = await newAccount()
    const owner = await signIn(app)
    const first = await invite(owner, 'twice@example.org', 'viewer')
    const second = await invite(owner, 'twice@example.org', 'member')
    expect(second.id).to.equal(first.id)
    expect((await useToken(app, first.token)).status).to.equal(404)
    expect((await useToken(app, second.token)).status).to.equal(201)
    expect((await membersOf(owner))[1]).to.include({ role: 'member', state: 'joined' })
    for (const email of ['twice@example.org', owner.email]) {
      const { status, body } = await owner.api('POST', '/members', { body: { email, role: 'viewer' } })
      expect([status, body.error]).to.deep.equal([409, `${email} is a member of this account already.`])
    }
  })

  it('is one of 50 people at most', async () => {
    const app = await newAccount()
    const owner = await signIn(app)
    for (let i = 1; i < 50; i++) await invite(owner, `p${i}@example.org`)
    const { status, body } = await owner.api('POST', '/members', { body: { email: 'p50@example.org', role: 'viewer' } })
    expect([status, body.error]).to.deep.equal([409, 'There are 50 people in this account already, which is as many as there may be. Remove one first.'])
    await invite(owner, 'p49@example.org', 'viewer') // again
  })

  it('sees the account with its role, and a new role holds from the next request on', async () => {
    const app = await newAccount()
    const owner = await signIn(app)
    const member = await join(app, owner, { role: 'viewer' })
    const create = () => member.api('POST', '/addresses', { body: {} })
    const refused = await create()
    expect([refused.status, refused.body]).to.deep.equal([403, {
      error: 'This needs the role member in the account, and yours is viewer. Ask an owner of the account to change it.', code: 'MISSING_SCOPE',
    }])
    const setRole = (role: string) => owner.api('PATCH', `/members/${member.id}`, { body: { role } })
    expect((await setRole('member')).body.data).to.include({ email: member.email, role: 'member' })
    const { body: { data: { id } } } = await create()
    expect((await owner.api('GET', `/addresses/${id}`)).status).to.equal(200)
    expect((await member.api('GET', '/members')).status).to.equal(403)
    expect((await member.api('POST', '/api-keys', { body: { name: 'x', scopes: ['emails:read'] } })).body.error).to.match(/^This needs the role owner /)
    await setRole('owner')
    expect((await membersOf(member)).map(({ role }) => role)).to.deep.equal(['owner', 'owner'])
    await setRole('viewer')
    expect((await create()).status).to.equal(403)
  })

  it('whose address is that of the account stays an owner', async () => {
    const app = await newAccount()
    const owner = await signIn(app)
    const second = await join(app, owner, { role: 'owner' })
    const id = await accountIdOf(owner)
    for (const by of [owner, second]) {
      for (const call of [['DELETE', {}], ['PATCH', { body: { role: 'viewer' } }]] as const) {
        const { status, body } = await by.api(call[0], `/members/${id}`, call[1])
        expect([status, body.error]).to.deep.equal([409, 'The address of the account itself stays an owner. It can be neither removed nor given another role.'])
      }
    }
    expect((await second.api('DELETE', `/members/${second.id}`)).status).to.equal(200)
    expect((await second.api('GET', '/account')).status).to.equal(401)
  })

  it('of another account is unknown', async () => {
    const app = await newAccount()
    const [owner, stranger] = [await signIn(app), await signIn(app)]
    const member = await join(app, owner)
    for (const [method, call] of [['PATCH', { body: { role: 'owner' } }], ['DELETE', {}]] as const) {
      const { status, body } = await stranger.api(method, `/members/${member.id}`, call)
      expect([status, body.error]).to.deep.equal([404, 'There is no member with this id.'])
    }
    expect((await membersOf(owner))[1]).to.include({ id: member.id, role: 'member' })
  })

  it('that is removed loses the sessions of this account at once, with their streams, and no others', async () => {
    await using app = await openTestApp()
    const owner = await signIn(app)
    const member = await joinAndSwitch(app, owner, 'member')
    const elsewhere = await ownSession(app, member.email)
    const stream = await fetch(`${app.url}/api/v1/events`, { headers: { cookie: member.cookie } })
    const reader = stream.body!.getReader()
    await reader.read()
    await owner.api('DELETE', `/members/${member.id}`)
    expect((await member.api('GET', '/account')).status).to.equal(401)
    expect((await elsewhere.api('GET', '/account')).status).to.equal(200)
    await app.advance({ seconds: 4 })
    let isOver = false
    while (!isOver) isOver = (await reader.read()).done
    expect(isOver).to.equal(true)
    await invite(owner, member.email)
    expect((await member.api('GET', '/account')).status).to.equal(401)
  })

  it('keeps no link of an invitation that was removed', async () => {
    const app = await newAccount()
    const owner = await signIn(app)
    const { id, token } = await invite(owner, 'gone@example.org')
    await owner.api('DELETE', `/members/${id}`)
    expect((await useToken(app, token)).status).to.equal(404)
  })

  it('switches between the own account and those of others, and a stream of the one before ends', async () => {
    await using app = await openTestApp()
    const owner = await signIn(app)
    const member = await signIn(app)
    await invite(owner, member.email, 'viewer')
    expect(await accountsOf(member)).to.deep.equal([[member.email, 'owner', true], [owner.email, 'viewer', false]])
    const stream = await fetch(`${app.url}/api/v1/events`, { headers: { cookie: member.cookie } })
    const reader = stream.body!.getReader()
    await reader.read()
    const accountId = await accountIdOf(owner)
    const switched = await member.api('POST', '/sessions/switch', { body: { accountId } })
    expect([switched.status, switched.body]).to.deep.equal([200, { message: 'The session shows the other account.' }])
    expect((await member.api('GET', '/account')).body.data).to.include({ id: accountId, email: owner.email, userEmail: member.email, role: 'viewer', hasOthers: true })
    await app.advance({ seconds: 4 })
    let isOver = false
    while (!isOver) isOver = (await reader.read()).done
    expect(isOver).to.equal(true)
    expect(await accountsOf(member)).to.deep.equal([[member.email, 'owner', false], [owner.email, 'viewer', true]])
    expect((await membersOf(owner))[1]).to.include({ state: 'joined' })
    const foreign = await accountIdOf(await signIn(app))
    const refused = await member.api('POST', '/sessions/switch', { body: { accountId: foreign } })
    expect([refused.status, refused.body.error]).to.deep.equal([404, `${member.email} is no member of an account with this id.`])
  })

  it('lists and ends the own sessions alone, in all accounts', async () => {
    const app = await newAccount()
    const owner = await signIn(app)
    const member = await joinAndSwitch(app, owner, 'viewer')
    const other = await ownSession(app, member.email)
    const idsOf = async ({ api }: TestSession) => (await api('GET', '/sessions')).body.data.map(({ id }: any) => id).sort()
    expect(await idsOf(owner)).to.deep.equal([owner.session.id])
    expect(await idsOf(member)).to.deep.equal([member.session.id, other.session.id].sort())
    expect((await owner.api('DELETE', `/sessions/${member.session.id}`)).status).to.equal(404)
    await member.api('DELETE', '/sessions')
    expect((await other.api('GET', '/account')).status).to.equal(401)
    expect((await owner.api('GET', '/account')).status).to.equal(200)
  })

  it('is named in the audit log of the account', async () => {
    const app = await newAccount()
    const owner = await signIn(app)
    const member = await join(app, owner)
    await member.api('POST', '/addresses', { body: {} })
    const { data } = (await owner.api('GET', '/audit-logs')).body
    expect(data.slice(0, 3).map(({ action, member }: any) => [action, member])).to.deep.equal([
      ['addresses.create', member.email], ['sessions.create', member.email], ['members.create', owner.email],
    ])
    await app.api('GET', '/analytics')
    expect((await app.api('GET', '/audit-logs')).body.data[0]).to.include({ action: 'analytics.get', member: null })
  })

  it('has a rate limit of the own sessions in the account', async () => {
    await using app = await openTestApp({ env: { MAYFLY_RATE_LIMIT: '5' } })
    const owner = await signIn(app)
    const member = await join(app, owner, { role: 'viewer' })
    for (let i = 0; i < 6; i++) await member.api('GET', '/account')
    expect([(await member.api('GET', '/account')).status, (await owner.api('GET', '/account')).status]).to.deep.equal([429, 200])
  })

  it('of a deleted account is signed out, and its invitations end', async () => {
    await using app = await openTestApp({ env: { MAYFLY_ADMINS: 'root@example.com' } })
    await createAccount(app, 'root@example.com')
    const [owner, admin] = [await signIn(app), await signIn(app, { email: 'root@example.com' })]
    const member = await join(app, owner)
    const { token } = await invite(owner, 'later@example.org')
    await admin.api('DELETE', `/admin/accounts/${await accountIdOf(owner)}`)
    expect((await member.api('GET', '/account')).status).to.equal(401)
    expect((await useToken(app, token)).status).to.equal(404)
    await app.settled()
    expect(await rowsOf(app, 'members')).to.deep.equal([])
  })
})

describe('Invitation: its link, which the inviting owner sees, does not prove the address', () => {
  const newAccount = shareTestApp({ env: { MAYFLY_ADMINS: 'root@example.com' } })

  it('so its session shows that account alone, and no other sessions of the person', async () => {
    const app = await newAccount()
    const [owner, victim] = [await signIn(app), await signIn(app)]
    const attacker = await join(app, owner, { email: victim.email, role: 'owner' })
    expect(await accountsOf(attacker)).to.deep.equal([[owner.email, 'owner', true]])
    const accountId = await accountIdOf(victim)
    const { status, body } = await attacker.api('POST', '/sessions/switch', { body: { accountId } })
    expect([status, body.error]).to.deep.equal([404,
      'This session began with an invitation, and shows that account alone. Sign in with a link by mail to see your other accounts.'])
    expect((await attacker.api('GET', '/sessions')).body.data.map(({ id }: any) => id)).to.deep.equal([attacker.session.id])
    await victim.api('POST', '/sessions/switch', { body: { accountId: await accountIdOf(owner) } })
    expect((await attacker.api('GET', '/sessions')).body.data).to.have.length(1)
    expect((await attacker.api('DELETE', `/sessions/${victim.session.id}`)).status).to.equal(404)
    await attacker.api('DELETE', '/sessions')
    expect((await victim.api('GET', '/account')).status).to.equal(200)
  })

  it('so it makes no administrator of it, nor does membership in the account of one', async () => {
    const app = await newAccount()
    await createAccount(app, 'root@example.com', 'free').catch(() => {}) // by an earlier test
    const root = await signIn(app, { email: 'root@example.com' })
    const owner = await signIn(app)
    const posing = await join(app, owner, { email: 'root@example.com', role: 'owner' })
    const colleague = await join(app, root, { role: 'owner' })
    const proven = await joinAndSwitch(app, root, 'owner')
    for (const session of [posing, colleague, proven]) {
      expect((await session.api('GET', '/account')).body.data.isAdmin).to.equal(false)
      for (const path of ['/admin/accounts', '/admin/captured-emails']) expect((await session.api('GET', path)).status).to.equal(403)
    }
  })

  it('while an administrator stays one in the account of another, and cannot delete the own account from there', async () => {
    const app = await newAccount()
    await createAccount(app, 'root@example.com', 'free').catch(() => {})
    const [root, owner] = [await signIn(app, { email: 'root@example.com' }), await signIn(app)]
    const own = await accountIdOf(root)
    await invite(owner, root.email, 'member')
    await root.api('POST', '/sessions/switch', { body: { accountId: await accountIdOf(owner) } })
    expect((await root.api('GET', '/admin/accounts')).status).to.equal(200)
    expect((await root.api('DELETE', `/admin/accounts/${own}`)).status).to.equal(409)
  })

  it('but a browser that has a session of the same person keeps the proof', async () => {
    const app = await newAccount()
    const [owner, member] = [await signIn(app), await signIn(app)]
    const joined = await join(app, owner, { email: member.email, headers: { cookie: member.cookie } })
    expect(await accountsOf(joined)).to.deep.equal([[member.email, 'owner', false], [owner.email, 'member', true]])
    const other = await join(app, owner, { headers: { cookie: joined.cookie } })
    expect(await accountsOf(other)).to.deep.equal([[owner.email, 'member', true]])
  })
})

describe('Member: sign-in by mail', () => {
  async function requestToken(app: TestApp, email: string): Promise<string | undefined> {
    await app.api('POST', '/sign-in-links', { key: null, body: { email } })
    await app.settled()
    return /\/sign-in#([\w-]{43})/.exec((await sourcesOf(app, email)).at(-1) ?? '')?.[1]
  }

  it('leads to the account that the person has joined, and of several to the own one', async () => {
    await using app = await openTestApp()
    const owner = await signIn(app)
    const { email } = await join(app, owner)
    const session = sessionOf(app, email, await useToken(app, (await requestToken(app, email))!))
    expect(await accountsOf(session)).to.deep.equal([[owner.email, 'member', true]])
    await createAccount(app, email)
    expect(await accountsOf(await ownSession(app, email))).to.deep.equal([[email, 'owner', true], [owner.email, 'member', false]])
  })

  it('joins an account by the address alone where no address can sign up', async () => {
    await using app = await openTestApp()
    const owner = await signIn(app)
    await invite(owner, 'new@example.org', 'viewer')
    const session = sessionOf(app, 'new@example.org', await useToken(app, (await requestToken(app, 'new@example.org'))!))
    expect(await accountsOf(session)).to.deep.equal([[owner.email, 'viewer', true]])
    expect((await membersOf(owner))[1]).to.include({ state: 'joined' })
    expect(await requestToken(app, 'stranger@example.org')).to.equal(undefined)
    expect(await accountsOf(await ownSession(app, 'new@example.org'))).to.deep.equal([[owner.email, 'viewer', true]]) // by the operator
  })

  it('leads to the account of the first invitation, and not before it to one whose inviter opened the link', async () => {
    await using app = await openTestApp()
    const [owner, stranger] = [await signIn(app), await signIn(app)]
    await invite(owner, 'new@example.org')
    await join(app, stranger, { email: 'new@example.org' }) // the stranger opens the link of the invitation
    const signInByMail = async () => sessionOf(app, 'new@example.org', await useToken(app, (await requestToken(app, 'new@example.org'))!))
    const session = await signInByMail()
    expect(await accountsOf(session)).to.deep.equal([[owner.email, 'member', true], [stranger.email, 'member', false]])
    const later = await signIn(app)
    await invite(later, 'new@example.org')
    await session.api('POST', '/sessions/switch', { body: { accountId: await accountIdOf(later) } })
    expect(await accountsOf(await signInByMail())).to.deep.equal([[owner.email, 'member', true], [later.email, 'member', false], [stranger.email, 'member', false]])
  })

  it('makes an own account where the person may sign up, not one of a stranger who invited it', async () => {
    await using app = await openTestApp({ env: { MAYFLY_SIGN_UP: 'open' } })
    const stranger = await signIn(app)
    const opened = await join(app, stranger, { email: 'new@example.org' }) // the stranger opens the link of the invitation
    await opened.api('POST', '/sessions/switch', { body: { accountId: await accountIdOf(stranger) } }) // and has it show the same account
    const session = sessionOf(app, 'new@example.org', await useToken(app, (await requestToken(app, 'new@example.org'))!))
    expect(await accountsOf(session)).to.deep.equal([['new@example.org', 'owner', true], [stranger.email, 'member', false]])
  })

  it('gets the invitation by mail from a server that sends mail to others, within its limits', async () => {
    await using app = await openTestApp({ env: { MAYFLY_OUTBOUND: 'smtp://127.0.0.1:1' } })
    const owner = await signIn(app)
    const { token } = await invite(owner, 'ada@elsewhere.example')
    const [source] = await sourcesOf(app, 'ada@elsewhere.example')
    expect(source!.replaceAll('=\r\n', '')).to.include(token)
    expect(source!.replaceAll('\r\n ', ' ')).to.include(`Subject: Use Mayfly together with ${owner.email}`)
    expect((await rowsOf(app, 'deliveries')).map(({ kind, recipient }) => [kind, recipient])).to.deep.equal([['verification', 'ada@elsewhere.example']])
    for (let i = 0; i < 5; i++) await invite(owner, 'ada@elsewhere.example')
    const refused = await owner.api('POST', '/members', { body: { email: 'ada@elsewhere.example', role: 'viewer' } })
    expect([refused.status, refused.body.code]).to.deep.equal([429, 'RATE_LIMITED'])
    await using captured = await openTestApp()
    await invite(await signIn(captured), 'ada@elsewhere.example')
    expect(await sourcesOf(captured, 'ada@elsewhere.example')).to.deep.equal([])
  })
})
