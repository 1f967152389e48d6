import { locale } from '../language.ts'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const formats = units.map((unit) => new Intl.NumberFormat(locale, {
  style: 'unit', unit, unitDisplay: unit === 'byte' ? 'long' : 'short', maximumFractionDigits: 1,
}))

/** `512 bytes`, `12.5 MB`; in powers of 1,000. */
export function formatBytes(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1_000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return formats[power]!.format(bytes / 1_000 ** power)
}
