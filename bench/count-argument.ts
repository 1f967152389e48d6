/** The number among the arguments of a benchmark. */
export const countArgument = (defaultCount: number): number => Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? defaultCount)
