import type { Context } from 'koa'
import type { App } from '../../context.ts'
import { followLink, readLink, verificationPath } from '../../domain/forwarding-addresses.ts'
import type { LinkState } from '../../domain/forwarding-addresses.ts'
import { rateLimit } from '../operations/rate-limit.ts'
import { pageRouter } from './asset.ts'
import { pageOfError, showPage } from './html-page.ts'
import type { HtmlPage } from './html-page.ts'

/**
 * The page behind the link of a verification mail. A GET changes nothing, because mail scanners follow links; only the POST of its
 * button verifies.
 */
export function verifyForwarding(app: App) {
  const limit = rateLimit(app, 'visits')
  return pageRouter().all(verificationPath, async (ctx) => {
    try {
      await limit.count(ctx, undefined)
      showPage(ctx, await pageFor(app, ctx))
    } catch (thrown) {
      showPage(ctx, pageOfError(app, ctx, thrown))
    }
  }).routes()
}

async function pageFor(app: App, ctx: Context): Promise<HtmlPage> {
  const token = typeof ctx.query['token'] === 'string' ? ctx.query['token'] : ''
  if (ctx.method === 'GET' || ctx.method === 'HEAD') {
    const link = await readLink(app, token)
    return link.kind === 'open' ? question(app, link.email) : ended(link)
  }
  if (ctx.method === 'POST') {
    // the body of the request is not read
    const { isNew, ...link } = await followLink(app, token)
    return isNew && link.kind !== 'unknown' ? thanks(link.email) : ended(link)
  }
  ctx.set('Allow', 'GET, HEAD, POST')
  return {
    status: 405,
    title: 'This page cannot be used like that',
    paragraphs: ['Open the link in the verification email in a browser.'],
  }
}

const question = ({ config }: App, email: string): HtmlPage => ({
  status: 200,
  title: `Forward mail to ${email}?`,
  paragraphs: [
    `A user of Mayfly, the temporary email service at ${config.defaultDomain}, would like to have mail from temporary ` +
    `addresses forwarded to ${email}.`,
    'If that was you, confirm it. If it was not, close this page: nothing will be forwarded.',
  ],
  button: 'Yes, forward mail to me',
})

const thanks = (email: string): HtmlPage => ({
  status: 200,
  title: 'Thank you, that is done',
  paragraphs: [`${email} is verified: mail can be forwarded there now. You can close this page.`],
})

function ended(link: LinkState): HtmlPage {
  if (link.kind === 'verified') {
    return {
      status: 200,
      title: 'This is done already',
      paragraphs: [`${link.email} is verified already, so there is nothing left to do. You can close this page.`],
    }
  }
  if (link.kind === 'unknown') {
    return {
      status: 404,
      title: 'This link is not known',
      paragraphs: [
        'It may be incomplete, replaced by that of a newer email, or its forwarding address was removed.',
        'Open the link in the newest verification email, or have a new one sent. Nothing was changed.',
      ],
    }
  }
  return {
    status: 410,
    title: 'This link has expired',
    paragraphs: [
      `Links hold for 24 hours, and this one for ${link.email} is older.`,
      'Have a new verification email sent, and open the link in that. Nothing was changed.',
    ],
  }
}
