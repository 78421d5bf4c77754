import { BRANDS, type Brand } from '@cofre/platform/card/card-brand'
import { z } from 'zod'

/** Brands of cards, with commas between: `VISA,MASTERCARD`. Empty: none. */
export const brandsSetting = z
  .string()
  .default('')
  .transform((text) => (text.trim() === '' ? [] : text.split(',').map((word) => word.trim())))
  .pipe(z.array(z.enum(BRANDS, `must be brands with commas between: ${BRANDS.join(', ')}`)))
  .transform((brands): ReadonlySet<string> => new Set<Brand>(brands))
