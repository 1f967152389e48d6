/** Queues by name, served in rotation: each name gets one item per round, regardless of the number that it has waiting. */
export interface Rotation<Item> {
  readonly size: number
  push(name: string, item: Item): void
  /** Removes and returns the oldest item of the next name, which moves to the end of the rotation. */
  shift(): Item | undefined
}

export function openRotation<Item>(): Rotation<Item> {
  const queues = new Map<string, Item[]>() // in the order in which they are served
  let size = 0
  return {
    get size() {
      return size
    },
    push(name, item) {
      size++
      const queue = queues.get(name)
      if (queue) queue.push(item)
      else queues.set(name, [item])
    },
    shift() {
      const next = queues.entries().next().value
      if (!next) return undefined
      const [name, queue] = next
      size--
      queues.delete(name)
      const item = queue.shift()!
      if (queue.length > 0) queues.set(name, queue)
      return item
    },
  }
}
