import { z } from 'zod'

/** A page in Spring's shape. */
export function pageSchema<Item extends z.ZodType>(item: Item, id: string) {
  return z
    .object({
      content: z.array(item),
      pageable: z.object({ pageNumber: z.int(), pageSize: z.int(), offset: z.int() }),
      totalElements: z.int(),
      totalPages: z.int(),
      number: z.int(),
      size: z.int(),
      numberOfElements: z.int(),
      first: z.boolean(),
      last: z.boolean(),
      empty: z.boolean(),
    })
    .meta({ id })
}

export function presentPage<Item>(content: Item[], at: { page: number; size: number; total: number }) {
  const totalPages = Math.ceil(at.total / at.size)
  return {
    content,
    pageable: { pageNumber: at.page, pageSize: at.size, offset: at.page * at.size },
    totalElements: at.total,
    totalPages,
    number: at.page,
    size: at.size,
    numberOfElements: content.length,
    first: at.page === 0,
    last: at.page >= totalPages - 1,
    empty: content.length === 0,
  }
}

/** The pages beside one, by link relation (RFC 8288); a page beyond the end leads back to the last. */
export function pagesBeside(at: { page: number; size: number; total: number }): Record<string, number> {
  const last = Math.max(0, Math.ceil(at.total / at.size) - 1)
  return {
    first: 0,
    ...(at.page > 0 ? { prev: Math.min(at.page - 1, last) } : {}),
    ...(at.page < last ? { next: at.page + 1 } : {}),
    last,
  }
}
