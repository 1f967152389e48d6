import { atoms } from './atoms.ts'
import type { Grammar } from './atoms.ts'

/** Describes how to generate an input of any length, so that a slow one can be measured again and lengthened. */
export interface Recipe {
  /** A description that is sufficient to generate the input by hand. */
  description: string
  /** @param length UTF-16 units, about */
  make(length: number): string
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function randomSource(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Generates a recipe from pieces of some grammars. */
export function newRecipe(random: () => number, grammars: Grammar[]): Recipe {
  const known = grammars.flatMap((grammar) => atoms[grammar])
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!
  const atom = () => random() < 0.15 ? anyCharacter(random) : pick(known)
  const unit = (most: number) => Array.from({ length: 1 + Math.floor(random() * most) }, atom).join('')
  return pick(shapes)({ random, atom, unit, pick })
}

interface Kit {
  random: () => number
  atom: () => string
  unit: (most: number) => string
  pick: <Item>(items: readonly Item[]) => Item
}

const shapes: ((kit: Kit) => Recipe)[] = [
  function repeated({ unit }) {
    const part = unit(6)
    return recipe`repeat ${part}`((length) => fill(part, length))
  },
  function repeatedOne({ atom }) {
    const part = atom()
    return recipe`repeat ${part}`((length) => fill(part, length))
  },
  function begun({ unit, atom }) {
    const [start, part, end] = [unit(3), unit(3), atom()]
    return recipe`start ${start} repeat ${part} end ${end}`((length) => start + fill(part, length - start.length) + end)
  },
  function begunOne({ atom }) {
    const [start, part, end] = [atom(), atom(), atom()]
    return recipe`start ${start} repeat ${part} end ${end}`((length) => start + fill(part, length - start.length) + end)
  },
  function blocks({ unit, atom, pick }) {
    const [open, inside, close, size] = [unit(3), atom() + atom(), unit(2), pick([30, 250, 4_000, 30_000])]
    return recipe`repeat ${open} ${String(size)} of ${inside} ${close}`((length) =>
      fill(open + fill(inside, Math.min(size, length)) + close, length))
  },
  function blocksOfOne({ atom, pick }) {
    const [open, inside, close, size] = [atom(), atom(), atom(), pick([30, 250, 4_000, 30_000])]
    return recipe`repeat ${open} ${String(size)} of ${inside} ${close}`((length) =>
      fill(open + fill(inside, Math.min(size, length)) + close, length))
  },
  function twoRuns({ unit, atom }) {
    const [start, first, second] = [atom(), unit(2), unit(2)]
    return recipe`start ${start} half ${first} half ${second}`((length) => start + fill(first, length / 2) + fill(second, length / 2))
  },
  function nested({ unit, atom, random }) {
    const [open, inside, close] = [unit(2), atom(), random() < 0.3 ? '' : unit(2)]
    return recipe`open ${open} inside ${inside} close ${close}`((length) => {
      const depth = Math.ceil(length / (open.length + close.length))
      return open.repeat(depth) + inside + close.repeat(depth)
    })
  },
  function numbered({ unit }) {
    const [before, after] = [unit(3), unit(2)]
    return recipe`count ${before} number ${after}`((length) => {
      const pieces: string[] = []
      for (let size = 0, i = 0; size < length; i++) {
        pieces.push(`${before}${i.toString(36)}${after}`)
        size += pieces.at(-1)!.length
      }
      return pieces.join('')
    })
  },
  function scattered({ random, unit }) {
    const [first, size] = [Math.floor(random() * 0x1_0000), 1 + Math.floor(random() * 20_000)]
    const between = random() < 0.5 ? '' : unit(1)
    const description = recipe`characters from ${first.toString(16)}, ${String(size)} of them, between them ${between}`
    return description((length) => {
      const count = Math.ceil(length / (1 + between.length))
      const points = Array.from({ length: count }, (_, i) => String.fromCodePoint((first + i * 7919 % size) % 0x1_0000))
      return points.join(between).toWellFormed()
    })
  },
  function mixed({ unit }) {
    const part = unit(60)
    return recipe`repeat ${part}`((length) => fill(part, length))
  },
  function lines({ unit, pick }) {
    const [part, end] = [unit(12), pick(['\r\n', '\n', '\r\n ', '\r\n\t', '\n\n', ' \r\n'])]
    return recipe`lines ${part} ended by ${end}`((length) => fill(part + end, length))
  },
]

function recipe(words: TemplateStringsArray, ...parts: string[]) {
  const description = words.map((word, i) => word + (i < parts.length ? quoted(parts[i]!) : '')).join('')
  return (make: (length: number) => string): Recipe => ({ description, make })
}

const quoted = (part: string) =>
  JSON.stringify(part).replace(/[^ -~]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)

const fill = (part: string, length: number) => part === '' ? '' : part.repeat(Math.max(1, Math.ceil(length / part.length)))

/** A Unicode character, with more combining marks than others, since normalization sorts their order. */
function anyCharacter(random: () => number): string {
  if (random() < 0.5) return marks[Math.floor(random() * marks.length)]!
  const point = Math.floor(random() * (random() < 0.5 ? 0x3000 : 0x11_0000))
  return point >= 0xd800 && point < 0xe000 ? ' ' : String.fromCodePoint(point)
}

const marks = Array.from({ length: 0x2_0000 }, (_, point) => point)
  .filter((point) => point < 0xd800 || point > 0xdfff).map((point) => String.fromCodePoint(point))
  .filter((character) => /[\p{M}\uff9e\uff9f]/u.test(character))
