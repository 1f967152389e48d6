/** `forwardToId` → `forward_to_id`, with `_` after a word of the language: `from` → `from_`. */
export function memberName(name: string): string {
  const snake = toSnake(name)
  return keywords.has(snake) ? `${snake}_` : snake
}

/** `addresses.create` → `addresses_create` */
export const functionName = (operationId: string): string => toSnake(operationId.replace('.', '_'))

/** `forwardingRules` → `ForwardingRules` */
export const capitalized = (name: string): string => name[0]!.toUpperCase() + name.slice(1)

export const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_')

const keywords = new Set(['and', 'as', 'assert', 'async', 'await', 'class', 'def', 'from', 'global', 'import', 'in', 'is', 'lambda', 'not', 'or', 'pass'])
