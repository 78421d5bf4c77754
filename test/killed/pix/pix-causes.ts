import type { What } from '../points'

const OF_PIX = [
  'pix registration',
  'pix query',
  'pix withdrawal',
  'pix return',
  'pix begun',
  'pix saved',
  'pix refund begun',
  'pix refund saved',
] as const satisfies What[]

/** The story that leads to each moment of a Pix. */
export const PIX_CAUSES: Partial<Record<What, 'pix'[]>> = Object.fromEntries(
  OF_PIX.map((moment) => [moment, ['pix']]),
)
