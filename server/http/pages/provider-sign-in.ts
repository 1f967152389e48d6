import type { Context } from 'koa'
import type { App } from '../../context.ts'
import { signInAs } from '../../domain/sessions.ts'
import { accountEmail, domainPart } from '../../mailbox.ts'
import { clientOf } from '../operations/audit.ts'
import { rateLimit } from '../operations/rate-limit.ts'
import type { ServerCalls } from '../operations/server-call.ts'
import { basePathOf, cookieOf, readCookie, readSessionCookie, sessionCookie } from '../wire/session-cookie.ts'
import { pageRouter } from './asset.ts'
import { pageOfError, showPage } from './html-page.ts'
import type { HtmlPage } from './html-page.ts'

/** Below the page for signing in, whose button leads to the first. */
const paths = { begin: '/sign-in/begin', end: '/sign-in/callback' }

/** Time to sign in at the provider. */
const maxMinutes = 10

type OpenId = NonNullable<App['network']['openId']>
type SignInSecrets = Awaited<ReturnType<OpenId['begin']>>['secrets']

/** A sign-in that is under way. Its cookie binds it to the browser that began it (login CSRF). */
interface UnderWay extends SignInSecrets {
  /** The page to show then. */
  to: string
}

/**
 * Signs in by a provider of OpenID Connect: an address that it has verified is as good as a sign-in link that was mailed there. An error
 * is a page that leads back to the page for signing in.
 */
export function signInByProvider(calls: ServerCalls, openId: OpenId) {
  const { app, audit } = calls
  const limit = rateLimit(app, 'visits')
  const provider = openId.host
  const redirectUri = () => app.baseUrl() + paths.end

  async function begin(ctx: Context): Promise<HtmlPage | undefined> {
    const begun = await openId.begin(redirectUri()).catch((error: unknown) => {
      app.log.warn({ err: error, issuer: app.config.signInProvider!.issuer }, 'the sign-in provider does not answer')
    })
    if (!begun) return noAnswer
    const value = toCookie({ ...begun.secrets, to: ownPath(ctx.query['to']) })
    goTo(ctx, begun.url, [cookieOf(app.baseUrl(), 'mayfly-sign-in', { value, maxAgeSeconds: maxMinutes * 60 })])
  }

  async function end(ctx: Context): Promise<HtmlPage | undefined> {
    const forget = cookieOf(app.baseUrl(), 'mayfly-sign-in', { value: null, maxAgeSeconds: 0 })
    ctx.res.setHeader('Set-Cookie', forget) // a second use of the answer is refused here already
    const underWay = fromCookie(readCookie(ctx.req, app.baseUrl(), 'mayfly-sign-in'))
    if (!underWay || ctx.query['state'] !== underWay.state) return notBegun
    const user = await openId.finish(new URL(`${redirectUri()}?${ctx.querystring}`), underWay).catch((error: unknown) => {
      app.log.warn({ err: error, issuer: app.config.signInProvider!.issuer }, 'a sign-in by the provider failed')
      return error instanceof Error && error.name === 'DeclinedError' ? declined : failed
    })
    if ('status' in user) return user
    const email = accountEmail(user.email ?? '')
    if (email === undefined) return noEmail
    if (!user.isVerified) return notVerified(email)
    if (domainPart(email) === app.config.defaultDomain) return ownDomain(email)
    const browser = { ...clientOf(ctx), replaces: readSessionCookie(ctx.req, app.baseUrl()) }
    const begun = await signInAs(app, email, browser, (caller, session) =>
      audit.entryOf({ ctx, caller, operationId: 'sessions.create', path: {}, query: {} }, { data: session }))
    if (!begun) return noAccount(email)
    goTo(ctx, basePathOf(app.baseUrl()) + underWay.to, [forget, sessionCookie(app.baseUrl(), begun.cookie)])
  }

  const show = (answer: (ctx: Context) => Promise<HtmlPage | undefined>) => async (ctx: Context) => {
    ctx.set('Cache-Control', 'no-store')
    try {
      await limit.count(ctx, undefined)
      const page = await answer(ctx)
      if (page) showPage(ctx, { link: { href: `${app.baseUrl()}/sign-in`, label: 'Sign in' }, ...page })
    } catch (thrown) {
      showPage(ctx, pageOfError(app, ctx, thrown))
    }
  }

  const noAnswer: HtmlPage = {
    status: 502,
    title: `${provider} does not answer`,
    paragraphs: ['Try again in a few minutes, or have a link sent to you by mail.', 'The log of this server has the reason, and “mayfly doctor” tests the connection.'],
  }
  const notBegun: HtmlPage = {
    status: 400,
    title: 'This sign-in did not begin here',
    paragraphs: [
      `It was begun in another browser or more than ${maxMinutes} minutes ago, or it has ended already. Begin again.`,
      `The browser has to allow cookies of this site, and the page for signing in has to be opened at ${app.baseUrl()}.`,
    ],
  }
  const declined: HtmlPage = {
    status: 403,
    title: `${provider} has not signed you in`,
    paragraphs: ['Begin again, or have a link sent to you by mail. If you did not cancel it, the log of this server has the reason.'],
  }
  const failed: HtmlPage = {
    status: 502,
    title: `${provider} did not confirm the sign-in`,
    paragraphs: ['Begin again. If it fails again, have a link sent to you by mail; the log of this server has the reason.'],
  }
  const noEmail: HtmlPage = {
    status: 403,
    title: `${provider} told no email address`,
    paragraphs: ['An account belongs to an email address. Add one to your profile there, or have a link sent to you by mail.'],
  }
  const notVerified = (email: string): HtmlPage => ({
    status: 403,
    title: `${provider} has not verified ${email}`,
    paragraphs: ['Confirm the address there and begin again, or have a link sent to it by mail.'],
  })
  /** Users of this server issue addresses there, and could have verified one at the provider; at a custom domain, its owner alone does. */
  const ownDomain = (email: string): HtmlPage => ({
    status: 403,
    title: `${email} cannot sign in by ${provider}`,
    paragraphs: [`Addresses at ${app.config.defaultDomain} belong to users of this server. Use another address, or “mayfly account sign-in”.`],
  })
  const noAccount = (email: string): HtmlPage => ({
    status: 403,
    title: `${email} has no account`,
    paragraphs: ['Ask an owner of an account to invite this address, or an administrator of this server to create an account for it.'],
  })

  return pageRouter().get(paths.begin, show(begin)).get(paths.end, show(end)).routes()
}

function goTo(ctx: Context, url: string, cookies: string[]) {
  ctx.res.setHeader('Set-Cookie', cookies)
  ctx.redirect(url)
  ctx.body = null
  ctx.status = 303
}

const toCookie = (underWay: UnderWay) => Buffer.from(JSON.stringify(underWay)).toString('base64url')

/** @returns undefined for a cookie that is none of this server */
function fromCookie(value: string | undefined): UnderWay | undefined {
  try {
    const found = JSON.parse(Buffer.from(value ?? '', 'base64url').toString()) as Partial<Record<keyof UnderWay, unknown>> | null
    const { state, nonce, verifier, to } = found ?? {}
    return [state, nonce, verifier].every((secret) => typeof secret === 'string' && secret !== '')
      ? { state, nonce, verifier, to: ownPath(to) } as UnderWay
      : undefined
  } catch {
    return undefined
  }
}

/** Maximum characters of the page in the cookie. */
const maxPathLength = 1_000

/** A page of the dashboard: browsers read `//host` and `/\host` as another host (open redirect). */
const ownPath = (to: unknown): string =>
  typeof to === 'string' && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(to) && to.length <= maxPathLength ? to : '/mail'
