import { z } from 'zod'

export const metadataValueSchema = z.union([z.string(), z.number()]).meta({ id: 'MetadataValue' })

/** A seller's own keys within a resource. */
export const metadataSchema = z.record(z.string(), metadataValueSchema).meta({ id: 'Metadata' })

/** The same metadata as a list. */
export const metadataListSchema = z
  .array(z.object({ key: z.string(), value: metadataValueSchema }).meta({ id: 'MetadataEntry' }))
  .meta({ id: 'MetadataList', examples: [[{ key: 'cart', value: '77' }]] })

export function presentMetadata(
  metadata: Record<string, unknown> | undefined,
): z.output<typeof metadataListSchema> {
  return Object.entries(metadata ?? {}).map(([name, held]) => ({ key: name, value: held as string | number }))
}
