/** A type of the SDK as JSON holds it: the SDK reads times as `Date`, JSON has them as text. */
export type Json<T> =
  T extends Date ? string
    : T extends Blob ? T
      : T extends object ? { [Name in keyof T]: Json<T[Name]> }
        : T
