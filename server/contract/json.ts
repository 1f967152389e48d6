/**
 * A type of the SDK as the server writes it. JSON has text where the SDK reads a `Date`. A list of values that may grow, to which the SDK's
 * type adds any other text, is closed: this server knows its values.
 */
export type Json<T> = JsonOf<Closed<T>>

type JsonOf<T> =
  T extends Date ? string
    : T extends Blob ? T
      : T extends object ? { [Name in keyof T]: Json<T[Name]> }
        : T

/** Removes `string & {}` from a union that has other texts. */
type Closed<T> = [Literals<T>] extends [never] ? T : Literals<T> | Exclude<T, string>

type Literals<T> = T extends string ? (string extends T ? never : T) : never
