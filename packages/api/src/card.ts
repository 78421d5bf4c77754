import type { StoredCard } from '@cofre/proto/vault/v1/vault'
import { z } from 'zod'
import { epochMs } from './schema'

export const cardHolderSchema = z.object({ name: z.string() }).meta({ id: 'CardHolder' })
export const expirationSchema = z.object({ year: z.int(), month: z.int() }).meta({ id: 'CardExpiration' })

/** A stored card as the API shows it: only the data that PCI DSS allows to be shown. */
export const cardTokenSchema = z
  .object({
    id: z.int().meta({ description: 'The id that invoice payments take as cardId.' }),
    token: z.string().meta({ description: '64 hexadecimal digits.' }),
    bin: z.string(),
    lastFour: z.string(),
    brand: z.string(),
    expiration: expirationSchema,
    holder: cardHolderSchema,
    createdAt: epochMs(),
  })
  .meta({
    id: 'CardToken',
    examples: [
      {
        id: 41,
        token: 'f3a1'.repeat(16),
        bin: '411111',
        lastFour: '1111',
        brand: 'VISA',
        expiration: { year: 2049, month: 12 },
        holder: { name: 'ANA SOUZA' },
        createdAt: 1_767_225_600_000,
      },
    ],
  })

export function presentCardToken({
  id,
  token,
  card,
  createdAt,
}: StoredCard): z.output<typeof cardTokenSchema> {
  return {
    id,
    token,
    bin: card?.bin ?? '',
    lastFour: card?.lastFour ?? '',
    brand: card?.brand ?? '',
    expiration: { year: card?.expirationYear ?? 0, month: card?.expirationMonth ?? 0 },
    holder: { name: card?.holderName ?? '' },
    createdAt,
  }
}
