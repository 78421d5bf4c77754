import { ENDPOINTS } from './discovery'

const PATH = '(/([A-Za-z0-9._~-]+|\\{(id|key)\\}))+'
const PARAMETER = '[A-Za-z]+([._][A-Za-z]+)*=\\{(id|key|time)\\}'
const ROUTE = new RegExp(`^(GET|POST|PUT|PATCH|DELETE) ${PATH}(\\?${PARAMETER}(&${PARAMETER})*)?$`)
const ENDPOINT_ROUTE = new RegExp(`^(GET|POST) \\{(${ENDPOINTS.join('|')})\\}$`)
export const isRoute = (route: string) => ROUTE.test(route) || ENDPOINT_ROUTE.test(route)

/** The route of the settings that allows a call; undefined: none does. */
export function routeOf(routes: readonly string[], method: string, path: string): string | undefined {
  const asked = `${method} ${path}`
  return routes.find((route) => patternOf(route).test(asked))
}

/** The values in place of a name in a route. Dots alone would lead to another path. */
const VALUES: Readonly<Record<string, string>> = {
  /** A partner's id. */
  '{id}': '(?!\\.+(?![\\w.-]))[\\w.-]{1,100}',
  /** A Pix key: an id, a phone number or an e-mail address, percent-encoded. */
  '{key}': '(?!\\.+(?![\\w.%-]))(?:[\\w.-]|%2B|%40){1,77}',
  /** A moment (RFC 3339), percent-encoded. */
  '{time}': String.raw`\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A\d\d(?:\.\d{1,9})?(?:Z|(?:%2B|-)\d\d%3A\d\d)`,
}

function patternOf(route: string): RegExp {
  const pattern = route.replaceAll(/[.?]|\{[a-z]+\}/g, (part) => VALUES[part] ?? `\\${part}`)
  return new RegExp(`^${pattern}$`)
}
