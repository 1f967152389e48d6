import type { Context } from 'koa'
import type { Download } from '../handlers/handler.ts'
import { encodeInTurns, sendReply } from '../operations/reply.ts'

/** A short text, or a value of which the JSON is short. */
export type CompatibleError = { json: unknown } | { text: string }

export type CompatibleReply =
  | { json: unknown, type?: string, status?: number }
  | { text: string, type?: string, status?: number }
  /** A page with content that others wrote. */
  | { html: string }
  | Download

const [typeOfText, typeOfJson] = ['text/plain; charset=utf-8', 'application/json; charset=utf-8']

/** No script of a mail runs, and nothing is loaded but images of this server (CSP). */
const policyOfPage = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:"

export async function writeReply(ctx: Context, reply: CompatibleReply, options: Parameters<typeof sendReply>[2]): Promise<void> {
  if ('status' in reply && reply.status !== undefined) ctx.status = reply.status
  if ('filename' in reply) return sendReply(ctx, reply, options)
  if ('html' in reply) {
    ctx.set({ 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policyOfPage, 'Referrer-Policy': 'no-referrer' })
    ctx.body = reply.html
  } else if ('text' in reply) {
    ctx.set('Content-Type', reply.type ?? typeOfText)
    ctx.body = reply.text
  } else {
    ctx.set('Content-Type', reply.type ?? typeOfJson)
    ctx.body = await encodeInTurns(reply.json, options)
  }
}

export function writeError(ctx: Context, error: CompatibleError): void {
  ctx.set('Content-Type', 'text' in error ? typeOfText : typeOfJson)
  ctx.body = 'text' in error ? error.text : JSON.stringify(error.json)
}
