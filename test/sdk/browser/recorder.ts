/** The functions of mocha that a suite uses. */
export interface Bdd {
  describe(name: string, define: () => void): void
  it(title: string, run: () => unknown): void
  before(run: () => unknown): void
  after(run: () => unknown): void
}

/** Collects the tests of a suite, to run them elsewhere. */
export function recorder() {
  const tests = new Map<string, () => unknown>()
  const [befores, afters]: (() => unknown)[][] = [[], []]
  const bdd: Bdd = {
    describe: (_name, define) => define(),
    it(title, run) {
      if (tests.has(title)) throw new Error(`two tests are called "${title}"`)
      tests.set(title, run)
    },
    before: (run) => befores!.push(run),
    after: (run) => afters!.push(run),
  }
  return { bdd, tests, befores: befores!, afters: afters! }
}
