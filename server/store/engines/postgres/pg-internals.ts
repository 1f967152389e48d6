import type { Socket } from 'node:net'
import type { ClientBase } from 'pg'

/** Members of a client that the types of pg leave out. */
interface Internals {
  processID: number
  connection: { stream: Socket }
  unref(): void
}

const internals = (client: ClientBase) => client as unknown as Internals

/** The id of the server's process that serves a connection. */
export const processIdOf = (client: ClientBase): number => internals(client).processID

export const socketOf = (client: ClientBase): Socket => internals(client).connection.stream

/** Lets this process end while the connection is open. */
export const unref = (client: ClientBase): void => { internals(client).unref() }
