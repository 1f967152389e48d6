/** Prints a result: one JSON document with `--json`, else what `show` writes for people. */
export function print<T>(options: { json?: boolean }, result: T, show: (result: T) => string): void {
  process.stdout.write(options.json ? `${JSON.stringify(result)}\n` : `${show(result)}\n`)
}

/** Columns of text, each as wide as its widest cell. */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)))
  return [head, ...rows]
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ').trimEnd())
    .join('\n')
}
