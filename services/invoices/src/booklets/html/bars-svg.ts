import { barsOf } from '../../boletos/pdf/bars'

/** A barcode as an SVG of one path, one unit high: it keeps its proportions at any size. */
export function barsSvg(barcode: string): string {
  const { bars, modules } = barsOf(barcode)
  const path = bars.map(({ at, width }) => `M${at} 0h${width}v1h-${width}z`).join('')
  const label = `Código de barras: ${barcode}`
  return `<svg viewBox="0 0 ${modules} 1" preserveAspectRatio="none" role="img" aria-label="${label}"><path d="${path}"/></svg>`
}
