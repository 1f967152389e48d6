import { basename } from 'node:path'
import type { Metafile } from 'esbuild'

/** The names of the files of a bundle that load at the start: the entry, the files that it imports, and theirs, but not by `import()`. */
export function filesAtStart({ outputs }: Metafile): Set<string> {
  const names = new Set<string>()
  const visit = (path: string) => {
    const output = outputs[path]
    if (!output || names.has(basename(path))) return // not a file of the bundle, such as a module of Node
    names.add(basename(path))
    for (const { path: imported, kind } of output.imports) if (kind === 'import-statement') visit(imported)
  }
  visit(Object.keys(outputs).find((path) => outputs[path]!.entryPoint !== undefined)!)
  return names
}
