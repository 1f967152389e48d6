import { MayflyError } from '../core/errors.ts'

/** A block of a stream of server-sent events. */
export interface StreamBlock {
  id?: string
  event?: string
  data?: string
  /** Milliseconds before a reconnect. */
  retry?: number
}

/** Maximum characters of an event: those of Mayfly have some thousands. */
const maxLength = 256 * 1024

/**
 * Makes a parser of server-sent events. Its parameter is the next part of the stream, of any length, and its result the blocks that end
 * there. It throws a MayflyError for an event of more than `maxLength` characters.
 * @see WHATWG HTML, "Server-sent events"
 */
export function streamParser(): (piece: string) => StreamBlock[] {
  let rest = ''
  let block: StreamBlock = {}
  let endsWithReturn = false
  return (piece) => {
    if (piece === '') return []
    const blocks: StreamBlock[] = []
    // without the line feed of a CRLF that was split between two pieces
    const lines = (endsWithReturn && piece.startsWith('\n') ? piece.slice(1) : piece).split(/\r\n|\r|\n/)
    endsWithReturn = piece.endsWith('\r')
    lines[0] = rest + lines[0]
    rest = lines.pop()!
    for (const line of lines) {
      if (line !== '') addLine(block, line)
      else {
        if (Object.keys(block).length > 0) blocks.push(block)
        block = {}
      }
    }
    const { id = '', event = '', data = '' } = block
    if (rest.length + id.length + event.length + data.length > maxLength) {
      throw new MayflyError(`The stream has an event of more than ${maxLength} characters, so it is not Mayfly's`)
    }
    return blocks
  }
}

function addLine(block: StreamBlock, line: string) {
  const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!
  if (name === 'data') block.data = block.data === undefined ? value : `${block.data}\n${value}`
  if (name === 'event') block.event = value
  if (name === 'id' && !value.includes('\0')) block.id = value
  if (name === 'retry' && /^\d+$/.test(value)) block.retry = Number(value)
}
