import { expect } from 'chai'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import PQueue from 'p-queue'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { httpTransport, openClient } from './mcp-client.ts'
import type { McpClient } from './mcp-client.ts'

const signUps = 50
const atOnce = 10

/** A web app at which people sign up: it mails a code, then a link. Its answers are in plain text. */
async function openShop(send: TestApp['send']) {
  const users = new Map<string, { code: string, token?: string, isConfirmed?: true }>()
  const server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url!, 'http://shop.example')
    const email = searchParams.get('email') ?? ''
    const user = users.get(email)
    const answer = (status: number, text: string) => void res.writeHead(status).end(text)
    if (pathname === '/sign-up') {
      const code = String(100_000 + users.size * 7_919 % 900_000)
      users.set(email, { code })
      void send({
        from: 'shop@shop.example', to: email, subject: 'Your code', text: `Order 20261128. Your verification code is ${code}. It is valid for 10 minutes.`,
      }).then(() => answer(200, 'A code is in your mail.'), (error: Error) => answer(500, error.message))
    } else if (pathname === '/code' && user?.code === searchParams.get('code')) {
      user.token = `t${Buffer.from(email).toString('base64url')}`
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/confirm?email=${encodeURIComponent(email)}&token=${user.token}`
      void send({
        from: 'shop@shop.example', to: email, subject: 'Confirm your address',
        html: `<p><a href="http://shop.example/">Shop</a></p><p><a href="${url}">Confirm your address</a></p><p><a href="http://shop.example/unsubscribe">Unsubscribe</a></p>`,
      }).then(() => answer(200, 'A link is in your mail.'), (error: Error) => answer(500, error.message))
    } else if (pathname === '/confirm' && user?.token !== undefined && user.token === searchParams.get('token')) {
      user.isConfirmed = true
      answer(200, 'Welcome.')
    } else answer(400, 'That is wrong.')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    confirmed: () => [...users.values()].filter(({ isConfirmed }) => isConfirmed).length,
    [Symbol.asyncDispose]: async () => void server.close().closeAllConnections(),
  }
}

/** Signs up as an agent, by tools alone. */
async function signUp({ call }: McpClient, shop: string): Promise<string> {
  const { address: inbox } = await call('create_inbox', { expiresIn: 600 })
  const visit = async (path: string) => (await fetch(path)).text()
  await visit(`${shop}/sign-up?${new URLSearchParams({ email: inbox })}`)
  const { code } = await call('wait_for_code', { inbox, timeoutSeconds: 60 })
  await visit(`${shop}/code?${new URLSearchParams({ email: inbox, code })}`)
  const { url } = await call('wait_for_link', { inbox, text: 'confirm', timeoutSeconds: 60 })
  const answer = await visit(url)
  await call('delete_inbox', { inbox })
  return answer
}

describe('MCP: sign-ups of an agent', function () {

  it(`succeed ${signUps} times, ${atOnce} at once`, async () => {
    await using world = await openTestApp({ isRealTime: true })
    await using shop = await openShop(world.send)
    const queue = new PQueue({ concurrency: atOnce })
    const answers = await Promise.all(Array.from({ length: signUps }, () => queue.add(async () => {
      await using mcp = await openClient(httpTransport([world.url], world.key))
      return await signUp(mcp, shop.url)
    })))
    expect(answers).to.deep.equal(Array.from({ length: signUps }, () => 'Welcome.'))
    expect(shop.confirmed()).to.equal(signUps)
  })
})
