import { z } from 'zod'

const TOTAL =
  'How many entries the list has, counted up to 10,000. Where totalIsLowerBound is true, the list has more than that.'
const PAGES =
  'How many pages totalElements fills. Where totalIsLowerBound is true, more pages follow: follow Link rel="next" until last is true.'

/** A number with an example. */
function shown(example: number) {
  return z.int().meta({ examples: [example] })
}

const pageableSchema = z
  .object({ pageNumber: shown(0), pageSize: shown(10), offset: shown(0) })
  .meta({ id: 'Pageable' })

/** A page in Spring's shape. */
export function pageSchema<Item extends z.ZodType>(item: Item, id: string) {
  return z
    .object({
      content: z.array(item),
      pageable: pageableSchema,
      totalElements: z.int().meta({ description: TOTAL }),
      totalPages: z.int().meta({ description: PAGES }),
      totalIsLowerBound: z.boolean().meta({ examples: [false] }),
      number: shown(0),
      size: shown(10),
      numberOfElements: z.int(),
      first: z.boolean(),
      last: z.boolean().meta({ description: 'Whether this is the last page.' }),
      empty: z.boolean().meta({ examples: [false] }),
    })
    .meta({ id })
}

/** `after`: the id of the entry that the page follows, when the request named one. */
type At = {
  page: number
  size: number
  after?: string | number | undefined
  total: number
  totalIsLowerBound?: boolean
  more?: boolean | undefined
}

export function presentPage<Item>(content: Item[], at: At) {
  const { page, size, totalIsLowerBound = false, more = false } = at
  const seen = page * size + content.length + (more ? 1 : 0)
  const totalElements = totalIsLowerBound ? Math.max(at.total, seen) : at.total
  return {
    content,
    pageable: { pageNumber: page, pageSize: size, offset: page * size },
    totalElements,
    totalPages: Math.ceil(totalElements / size),
    totalIsLowerBound,
    number: page,
    size,
    numberOfElements: content.length,
    first: page === 0 && at.after === undefined,
    last: isLast(at),
    empty: content.length === 0,
  }
}

/** Entries that follow are known from reading them: they may be gone, or others here, by the time of the count. */
function isLast({ page, size, total, more }: At): boolean {
  return more === undefined ? page >= Math.ceil(total / size) - 1 : !more
}

/**
 * The pages beside a page, by link relation (RFC 8288). A page beyond the end leads back to the last one. When the
 * total is a lower bound, the last page is unknown, and the page before has a link only while page numbers reach it.
 */
export function pagesBeside(at: At): Record<string, number> {
  const { page, size, total, totalIsLowerBound = false } = at
  const last = Math.max(0, Math.ceil(total / size) - 1)
  const reachable = totalIsLowerBound ? page - 1 <= last : true
  return {
    first: 0,
    ...(page > 0 && reachable ? { prev: Math.min(page - 1, last) } : {}),
    ...(isLast(at) ? {} : { next: page + 1 }),
    ...(totalIsLowerBound ? {} : { last }),
  }
}
