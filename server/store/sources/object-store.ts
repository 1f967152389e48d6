/** A range of bytes of a source, or of an object. */
export interface SourceRange {
  offset: number
  length: number
}

export interface NewObject {
  /** The sum of its pieces. */
  bytes: number
  pieces: AsyncIterable<Uint8Array>
}

/** Objects by their names, `YYYY-MM-DD/ID`. A call ends with its signal. */
export interface ObjectStore {
  put(name: string, object: NewObject, signal: AbortSignal): Promise<void>
  /** @returns undefined when there is no such object; fewer bytes when it is shorter */
  read(name: string, range: SourceRange, signal: AbortSignal): Promise<Uint8Array | undefined>
  remove(name: string, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}
