/** Queues by name that are served in rotation: a name with many items waiting gets no more than one with few. */
export interface Rotation<Item> {
  readonly size: number
  push(name: string, item: Item): void
  /** The oldest item of the name that is next; it stays. */
  peek(): Item | undefined
  /** Takes that item out: the other names come before the next one of this name. */
  shift(): Item | undefined
}

export function openRotation<Item>(): Rotation<Item> {
  const queues = new Map<string, Item[]>() // in the order of the next turns
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
    peek() {
      return queues.values().next().value?.[0]
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
