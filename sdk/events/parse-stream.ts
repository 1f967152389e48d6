/** A block of a stream of server-sent events. */
export interface StreamBlock {
  id?: string
  event?: string
  data?: string
  /** Milliseconds before a reconnect. */
  retry?: number
}

/**
 * Takes a stream of server-sent events apart, whatever the pieces are that it comes in.
 * @see WHATWG HTML, "Server-sent events"
 */
export function streamParser(): (piece: string) => StreamBlock[] {
  let rest = ''
  let block: StreamBlock = {}
  return (piece) => {
    const blocks: StreamBlock[] = []
    const lines = (rest + piece).split(/\r\n|\r(?!$)|\n/)
    rest = lines.pop()!
    for (const line of lines) {
      if (line !== '') takeLine(block, line)
      else {
        if (Object.keys(block).length > 0) blocks.push(block)
        block = {}
      }
    }
    return blocks
  }
}

function takeLine(block: StreamBlock, line: string) {
  const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!
  if (name === 'data') block.data = block.data === undefined ? value : `${block.data}\n${value}`
  if (name === 'event') block.event = value
  if (name === 'id' && !value.includes('\0')) block.id = value
  if (name === 'retry' && /^\d+$/.test(value)) block.retry = Number(value)
}
