import { pagesBeside, presentPage } from '@cofre/api/page'
import { linkHeader, type Answer } from './answer'
import type { View } from './route'

/** `more`: whether entries follow; undefined for a list that takes no `after`. */
type Listed = {
  items: ({ id: string | number } | { token: string })[]
  total: number
  totalIsLowerBound?: boolean
  more?: boolean
}

/**
 * Returns a page of a list, with links to its neighbours that repeat its filters. The link to the next page names
 * the last entry of this one: whatever comes and goes meanwhile, no entry is left out, and none comes twice.
 */
export function answerPage(path: string, { items, ...end }: Listed, { baseUrl, query }: View): Answer {
  const { page, size, after, ...filters } = query as { page: number; size: number; after?: string | number }
  const at = { page, size, after, ...end }
  const urlOf = (number: number, following?: string | number) => {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...filters, page: number, size, after: following })) {
      if (value !== undefined) search.set(name, String(value))
    }
    return `${baseUrl}${path}?${search.toString()}`
  }
  const follows = end.more === undefined ? undefined : items.map(nameOf).at(-1)
  const beside = Object.entries(pagesBeside(at)).map(([rel, number]) => [
    rel,
    urlOf(number, rel === 'next' ? follows : undefined),
  ])
  return {
    status: 200,
    headers: { Link: linkHeader(Object.fromEntries(beside)) },
    body: presentPage(items, at),
  }
}

function nameOf(item: Listed['items'][number]): string | number {
  return 'id' in item ? item.id : item.token
}
