import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The number of numbered sections of each RFC that has rules of the server. */
const sections: Record<string, number> = {
  1035: 9, 1341: 9, 1870: 12, 2045: 9, 2046: 9, 2047: 10, 2142: 9, 2231: 11, 2781: 8, 2920: 7, 3056: 12, 3207: 8, 3463: 6, 3464: 7,
  3676: 10, 3834: 9, 3986: 9, 4291: 6, 4954: 10, 5214: 12, 5280: 9, 5321: 11, 5322: 7, 6052: 9,
  4616: 9, 6152: 6, 6177: 8, 6376: 11, 6531: 7, 6533: 8, 6761: 9, 6890: 7,
  2034: 9, 5965: 9, 6409: 12, 6522: 8, 7208: 14,
  2369: 8, 2392: 5, 2986: 5, 8058: 10,
  7239: 11, 7505: 8, 7617: 4, 8314: 9, 8461: 11, 8463: 9, 8555: 11, 8617: 15, 8628: 8, 8737: 7, 9116: 7, 9110: 19, 9112: 13, 9562: 9,
}

/** RFCs that are named as a whole: each is one format or one list. */
const whole = new Set(['1557', '1843', '1896', '1922', '2142', '2152', '2606', '6762', '7489', '8460', '8657', '9989'])

describe('Documents: RFCs', () => {
  it('are named in the server with the section that has the rule', () => {
    const faults = globSync('server/**/*.ts', { cwd: root }).filter((path) => !path.includes('.gen.')).sort().flatMap((path) => {
      const text = readFileSync(`${root}${path}`, 'utf8').replaceAll(/\n\s*(?:\*|\/\/) ?/g, ' ')
      return [...text.matchAll(/RFC (\d+)(?:, (?:sections? (\d+)|appendix))?/g)].filter(([mention, number, section]) => {
        if (section === undefined) return !mention.endsWith('appendix') && !whole.has(number!)
        return !(Number(section) <= (sections[number!] ?? 0))
      }).map(([mention]) => `${path}: ${mention}`)
    })
    expect(faults).to.deep.equal([])
  })
})
