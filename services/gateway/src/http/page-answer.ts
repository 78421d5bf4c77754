import { pagesBeside, presentPage } from '@cofre/api/page'
import { linkHeader, type Answer } from './answer'
import type { View } from './route'

/** A page of a list, with links to those beside it that repeat its filters. */
export function answerPage(
  path: string,
  { items, total }: { items: unknown[]; total: number },
  { baseUrl, query }: View,
): Answer {
  const { page, size, ...filters } = query as { page: number; size: number }
  const urlOf = (number: number) => {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries({ ...filters, page: number, size })) {
      if (value !== undefined) search.set(name, String(value))
    }
    return `${baseUrl}${path}?${search.toString()}`
  }
  const beside = Object.entries(pagesBeside({ page, size, total }))
  return {
    status: 200,
    headers: { Link: linkHeader(Object.fromEntries(beside.map(([rel, number]) => [rel, urlOf(number)]))) },
    body: presentPage(items, { page, size, total }),
  }
}
