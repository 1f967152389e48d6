import { createTheme, defaultVariantColorsResolver } from '@mantine/core'
import type { MantineColorsTuple } from '@mantine/core'

/** The green of Mayfly. Shade 7 has a contrast of 7.4:1 to white, shade 3 of 9:1 to the dark background (WCAG 2.2, 1.4.6). */
const green: MantineColorsTuple = [
  '#ecf6f1', '#d8ebe2', '#b2d8c6', '#8fd6b8', '#63b392', '#42997a', '#2d7c60', '#1f5f4a', '#184d3c', '#113a2d',
]

export const theme = createTheme({
  colors: { green },
  primaryColor: 'green',
  primaryShade: { light: 7, dark: 3 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  // the default chooses the text of filled buttons by the light shade in both schemes
  variantColorResolver: (input) => ({
    ...defaultVariantColorsResolver(input),
    ...input.variant === 'filled' && { color: 'light-dark(var(--mantine-color-white), var(--mantine-color-black))' },
  }),
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontFamily: 'inherit', fontWeight: '600', sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1.0625rem' }, h3: { fontSize: '1rem' } } },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
})
