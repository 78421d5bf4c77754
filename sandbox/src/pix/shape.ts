import type { ZodType } from 'zod'
import { PixRefusal, type RefusalType } from './pix-refusal'

/** Reads what a seller sends. Throws PixRefusal that names each member at fault. */
export function read<T>(schema: ZodType<T>, value: unknown, type: RefusalType): T {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const members = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => [...issue.path, key].join('.'))
      : [issue.path.join('.') || 'corpo'],
  )
  throw new PixRefusal(
    type,
    [...new Set(members)].map((propriedade) => ({
      razao: `O campo ${propriedade} não respeita o schema.`,
      propriedade,
    })),
  )
}
