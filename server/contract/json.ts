/**
 * Converts a type of the SDK to that of the server's JSON: a `Date` is a string, and an extensible enum (`x-extensible-enum`), which the
 * SDK types as its values or any other string, has its values only.
 */
export type Json<T> = JsonOf<Closed<T>>

type JsonOf<T> =
  T extends Date ? string
    : T extends Blob ? T
      : T extends object ? { [Name in keyof T]: Json<T[Name]> }
        : T

/** Removes `string & {}` from a union with string literals. */
type Closed<T> = [Literals<T>] extends [never] ? T : Literals<T> | Exclude<T, string>

type Literals<T> = T extends string ? (string extends T ? never : T) : never
