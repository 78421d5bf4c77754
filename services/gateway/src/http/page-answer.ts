import { pagesBeside, presentPage } from '@cofre/api/page'
import { linkHeader, type Answer } from './answer'
import type { View } from './route'

/** `more`: whether entries follow. `place`: where the last entry stands, unless its id says so. */
type Listed = {
  items: ({ id: string | number } | { token: string })[]
  total: number
  totalIsLowerBound?: boolean
  more?: boolean | undefined
  place?: string | undefined
}

/**
 * Returns a page of a list, with links to its neighbours that repeat its filters. The link to the next page names
 * the last entry of this one and its place: whatever comes and goes meanwhile, no entry is left out, and none comes
 * twice.
 */
export function answerPage(path: string, { items, place, ...end }: Listed, { baseUrl, query }: View): Answer {
  const { page, size, after, place: _place, ...filters } = query as Query
  const at = { page, size, after, ...end }
  const urlOf = (number: number, following: Pick<Query, 'after' | 'place'> = {}) => {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...filters, page: number, size, ...following })) {
      if (value !== undefined) search.set(name, String(value))
    }
    return `${baseUrl}${path}?${search.toString()}`
  }
  const follows = { after: items.map(nameOf).at(-1), place }
  const beside = Object.entries(pagesBeside(at)).map(([rel, number]) => [
    rel,
    urlOf(number, rel === 'next' ? follows : {}),
  ])
  return {
    status: 200,
    headers: { Link: linkHeader(Object.fromEntries(beside)) },
    body: presentPage(items, at),
  }
}

type Query = { page: number; size: number; after?: string | number | undefined; place?: string | undefined }

function nameOf(item: Listed['items'][number]): string | number {
  return 'id' in item ? item.id : item.token
}
