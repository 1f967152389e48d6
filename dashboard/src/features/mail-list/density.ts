import { storedValue } from '../../ui/stored-value.ts'

export type Density = 'compact' | 'comfortable'

/** The height of a row in pixels: two lines, or three. */
export const rowHeights: Record<Density, number> = { compact: 44, comfortable: 78 }

export const density = storedValue<Density>('mayfly-density', 'compact', (value) => typeof value === 'string' && value in rowHeights)

export const toggleDensity = () => density.write(density.read() === 'compact' ? 'comfortable' : 'compact')
