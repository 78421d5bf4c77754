import type { Answer } from '../../http/answer'

/** What the address of the page that follows an answer of the API says of where it begins. Undefined: none follows. */
export function nextPageOf({ headers = {} }: Answer): Record<string, string> | undefined {
  const [, address] = /<([^>]*)>; rel="next"/.exec(headers['Link'] ?? '') ?? []
  if (address === undefined) return undefined
  const { searchParams } = new URL(address)
  return Object.fromEntries(
    BEGINS.flatMap((name) => {
      const value = searchParams.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}

const BEGINS = ['after', 'place']

/** The same as a page of the portal was asked for. `ids`: the shape of an entry's id. */
export function beginningOf(
  parameter: (name: string) => string,
  ids = /^\d{1,15}$/,
): { after?: string; place?: string } {
  const after = ids.exec(parameter('after'))?.[0]
  const place = /^\d{1,16}$/.exec(parameter('place'))?.[0]
  return { ...(after && { after }), ...(after && place && { place }) }
}
