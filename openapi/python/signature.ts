import type { Argument, PythonOperation } from './operations.ts'

/** The parameters of a method: ids by position, all others by name. */
export function parametersOf({ arguments: all }: PythonOperation, ...last: string[]): string[] {
  const positional = all.filter(({ place }) => place === 'path').map(({ python }) => `${python}: str`)
  const named = [
    ...all.filter(({ place, isRequired }) => place !== 'path' && isRequired).map(({ python, annotation, isNullable }) => `${python}: ${annotation}${isNullable ? ' | None' : ''}`),
    ...all.filter(({ place, isRequired }) => place !== 'path' && !isRequired).map(optional),
    ...last,
  ]
  return [...positional, ...named.length > 0 ? ['*'] : [], ...named]
}

const optional = ({ python, annotation, isNullable }: Argument) =>
  isNullable ? `${python}: ${annotation} | None | NotGiven = NOT_GIVEN` : `${python}: ${annotation} | None = None`

/** The arguments with which a method calls another of the same parameters. */
export const passed = ({ arguments: all }: PythonOperation): string[] => all.map(({ place, python }) => place === 'path' ? python : `${python}=${python}`)

/** A definition's head, on one line where it fits. */
export function head(start: string, parameters: string[], result: string, indent: string): string {
  const line = `${indent}${start}(${parameters.join(', ')}) -> ${result}:`
  if (line.length <= 110) return line
  return `${indent}${start}(\n${parameters.map((parameter) => `${indent}    ${parameter},`).join('\n')}\n${indent}) -> ${result}:`
}

/** A call, on one line where it fits. @param before the text before it on its line, with the indent */
export function call(before: string, name: string, parts: string[], after = ''): string {
  const line = `${before}${name}(${parts.join(', ')})${after}`
  if (line.length <= 105) return line
  const indent = /^ */.exec(before)![0]
  return `${before}${name}(\n${parts.map((part) => `${indent}    ${part},`).join('\n')}\n${indent})${after}`
}
