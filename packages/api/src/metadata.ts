import { z } from 'zod'

/** A seller's own keys within a resource. */
export const metadataSchema = z.record(z.string(), z.union([z.string(), z.number()]))

/** The same metadata as a list. */
export const metadataListSchema = z
  .array(z.object({ key: z.string(), value: z.union([z.string(), z.number()]) }))
  .meta({ id: 'MetadataList', examples: [[{ key: 'cart', value: '77' }]] })

export function presentMetadata(
  metadata: Record<string, unknown> | undefined,
): z.output<typeof metadataListSchema> {
  return Object.entries(metadata ?? {}).map(([name, held]) => ({ key: name, value: held as string | number }))
}
