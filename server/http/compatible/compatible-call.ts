import type { Context } from 'koa'
import type { App, Caller } from '../../context.ts'
import type { OperationId } from '../../contract/operations.gen.ts'
import { participantsOf, readTogether } from '../../domain/address-mail.ts'
import type { OwnAddress, Participants } from '../../domain/address-mail.ts'
import { deleteEmails, updateEmails } from '../../domain/emails.ts'
import { nothingFound } from '../../errors.ts'
import { uuid } from '../../ids.ts'
import { accountDeleted, lockAccountIfPresent } from '../../store/accounts/accounts.ts'
import { insertAuditLogs } from '../../store/accounts/audit-logs.ts'
import type { Tx } from '../../store/database.ts'
import { findMailHeads, listMailIds, ownMailIds } from '../../store/mail/address-mail.ts'
import type { MailHead } from '../../store/mail/address-mail.ts'
import { goneSignal } from '../operations/call.ts'
import { encodeInTurns } from '../operations/reply.ts'
import type { ServerCalls } from '../operations/server-call.ts'
import { writeReply } from './compatible-reply.ts'
import type { CompatibleError, CompatibleReply } from './compatible-reply.ts'

/** The API of another test server, below `/compatible/<name>`. */
export interface CompatibleRoutes {
  routes: CompatibleRoute[]
  /** The body of an error in the form of that API. */
  toError(message: string): CompatibleError
}

export interface CompatibleRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Its groups are `CompatibleCall.path`. */
  path: RegExp
  /** The operation of Mayfly's API that does the same: the audit log and the plans have its name. Missing where the call does nothing. */
  operationId?: OperationId | undefined
  takesBody?: true
  answer(call: CompatibleCall): CompatibleReply | Promise<CompatibleReply>
}

/** Maximum bytes of the mails in an answer: a list ends early. */
const maxAnswerBytes = 16 * 1024 * 1024
/** Emails that a transaction changes. */
const changedTogether = 100

/** The address of a login. */
type LoginAddress = OwnAddress & { address: string }

interface CallParts {
  caller: Caller
  address: LoginAddress
  path: string[]
  basePath: string
}

/** A request by a valid login. */
export class CompatibleCall {
  readonly app: App
  readonly caller: Caller
  readonly address: LoginAddress
  readonly path: string[]
  readonly query: URLSearchParams
  /** Set before the answer. */
  body: Record<string, unknown> = {}
  /** The path of the API on this server, as clients write it. */
  readonly basePath: string
  /** Whether a transaction has inserted the audit record. */
  #isAudited = false
  readonly #ctx: Context
  readonly #calls: ServerCalls

  constructor(ctx: Context, calls: ServerCalls, { caller, address, path, basePath }: CallParts) {
    this.#ctx = ctx
    this.#calls = calls
    this.caller = caller
    this.app = calls.app
    this.address = address
    this.path = path
    this.query = new URLSearchParams(ctx.querystring)
    this.basePath = basePath
  }

  /** Waits for the next turn of the account. */
  readonly turn = (): Promise<void> => this.#calls.share.turn(this.address.accountId)

  /** @throws AppError `NOT_FOUND` */
  async findMail(id: string): Promise<MailHead> {
    const [found] = await findMailHeads(this.app.db, await this.ownIds([id]))
    if (!found) throw nothingFound('There is no message with this ID in the mail of this address.')
    return found
  }

  /** The ids of its mails, newest first. */
  listIds(page: { limit: number, offset: number }): Promise<string[]> {
    return listMailIds(this.app.db, this.address.id, page)
  }

  /** Those of the ids that are mails of the address. */
  async ownIds(ids: string[]): Promise<string[]> {
    const own: string[] = []
    const wellFormed = [...new Set(ids.filter((id) => uuid.test(id)).map((id) => id.toLowerCase()))]
    for (let from = 0; from < wellFormed.length; from += changedTogether) {
      own.push(...await ownMailIds(this.app.db, this.address.id, wellFormed.slice(from, from + changedTogether)))
    }
    return own
  }

  /** Deletes mails of the address, or all of it. */
  deleteMail(ids?: string[]): Promise<void> {
    return this.#change('emails.delete', ids, (tx, some) => deleteEmails(tx, this.caller, some))
  }

  markMail(isRead: boolean, ids?: string[]): Promise<void> {
    return this.#change('emails.update', ids, (tx, some) => updateEmails(tx, this.caller, some, { isRead }))
  }

  async #change(operationId: OperationId, ids: string[] | undefined, change: (tx: Tx, some: string[]) => Promise<string[]>) {
    const { app } = this
    const gone = goneSignal(app.closing, this.#ctx)
    for await (const some of ids ? inParts(ids) : this.#allIds()) {
      await this.turn()
      if (gone.aborted) return
      await app.db.commit(async (tx) => {
        if (!await lockAccountIfPresent(tx, this.address.accountId)) throw accountDeleted()
        const changed = await change(tx, some)
        await insertAuditLogs(tx, changed.map((id) => this.#calls.audit.entryOf(this.#auditedAs(operationId, id), undefined)))
      }, { usesReserve: operationId === 'emails.delete' })
      this.#isAudited = true
    }
  }

  /** Of the mail that is there at the beginning. */
  async* #allIds(): AsyncGenerator<string[]> {
    let before: string | undefined
    do {
      const ids = await listMailIds(this.app.db, this.address.id, { limit: changedTogether, offset: 0, before })
      if (ids.length > 0) yield ids
      before = ids.length === changedTogether ? ids.at(-1) : undefined
    } while (before !== undefined)
  }

  /** Records the call once it has ended, unless a transaction did. */
  record(route: CompatibleRoute | undefined, status: number) {
    if (!route?.operationId) return
    const id = uuid.test(this.path[0] ?? '') ? this.path[0]! : this.address.id
    this.#calls.audit.record({ ...this.#auditedAs(route.operationId, id), reply: undefined, isAudited: this.#isAudited }, status)
  }

  /** The parts of an audit record. @param id of an email, or of the address */
  #auditedAs(operationId: OperationId, id: string) {
    return { ctx: this.#ctx, caller: this.caller, operationId, path: { id }, query: {} }
  }

  /** The JSON of mails, while they fit in an answer, of the first one in any case. */
  async encodeMails(ids: string[], show: (call: CompatibleCall, head: MailHead) => object | Promise<object>): Promise<Buffer[]> {
    const mails: Buffer[] = []
    let bytes = 0
    for (let from = 0; from < ids.length; from += readTogether) {
      for (const head of await findMailHeads(this.app.db, ids.slice(from, from + readTogether))) {
        const mail = await encodeInTurns(await show(this, head), { turn: this.turn, hold: (more) => this.#hold(bytes + more) })
        if (mails.length > 0 && bytes + mail.length > maxAnswerBytes) return mails
        mails.push(mail)
        bytes += mail.length
        this.#hold(bytes)
        await this.turn()
      }
    }
    return mails
  }

  async send(reply: CompatibleReply): Promise<void> {
    await writeReply(this.#ctx, reply, {
      turn: this.turn,
      inAccount: (work) => this.app.db.engine.runForAccount(this.address.accountId, work),
      hold: (bytes) => this.#hold(bytes),
    })
  }

  /** Counts bytes of the answer that are not written yet. @throws AppError `RATE_LIMITED` */
  #hold(bytes: number) {
    this.#calls.unread.hold(this.address.accountId, this.#ctx.res, bytes)
  }
}

function* inParts(ids: string[]): Generator<string[]> {
  for (let from = 0; from < ids.length; from += changedTogether) yield ids.slice(from, from + changedTogether)
}

/** A mail in a list. */
export type ListedMail = MailHead & Participants

export const withParticipants = (head: MailHead): ListedMail => ({ ...head, ...participantsOf(head) })

/** The HTML body of a mail, in which images that are attached have the URL of their file. */
export function linkImages(html: string, urls: Map<string, string>): string {
  return urls.size === 0 ? html : html.replaceAll(/\bcid:([^"'\s<>)]{1,998})/gi, (link, id: string) => urls.get(id) ?? link)
}
