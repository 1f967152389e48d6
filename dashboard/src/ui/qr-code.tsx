import { encode } from 'uqr'

/** Modules of the quiet zone, which cameras need (ISO/IEC 18004). */
const border = 4
const sizePx = 208

/** A QR code of a text, dark on white in both colour schemes, as cameras expect it. */
export function QrCode({ value, label }: { value: string, label: string }) {
  const { data, size } = encode(value, { border })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => isDark ? [`M${x} ${y}h1v1h-1z`] : [])).join('')
  return (
    <svg role="img" aria-label={label} width={sizePx} height={sizePx} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={dark} />
    </svg>
  )
}
