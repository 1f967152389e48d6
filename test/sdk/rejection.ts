/** Resolves with the error of a rejected promise. */
export async function rejectionOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise
  } catch (error) {
    return error as Error
  }
  throw new Error('it was to be rejected, but resolved')
}
