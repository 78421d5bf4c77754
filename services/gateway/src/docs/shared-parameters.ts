import type { JsonSchema } from './openapi-schemas'

type Operations = Record<string, Record<string, JsonSchema>>

/** A parameter of fewer operations stays where it is. */
const SHARED_FROM = 4

/**
 * Moves query parameters that several operations have alike, such as `page`, to the components. Each is named as the
 * parameter, with a capital. Of two that differ under one name, the more frequent one moves.
 */
export function shareParameters(paths: Operations): Record<string, JsonSchema> {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const places = new Map<string, number>()
  for (const { parameters } of operations) {
    for (const each of (parameters ?? []) as JsonSchema[]) {
      if (each.in === 'query') places.set(JSON.stringify(each), (places.get(JSON.stringify(each)) ?? 0) + 1)
    }
  }
  const frequent = [...places]
    .filter(([, count]) => count >= SHARED_FROM)
    .sort(([, one], [, two]) => one - two)
  const shared = new Map(frequent.map(([text]) => [nameOf(JSON.parse(text) as JsonSchema), text]))
  const nameOfText = new Map([...shared].map(([name, text]) => [text, name]))
  for (const operation of operations) {
    operation.parameters = ((operation.parameters ?? []) as JsonSchema[]).map((each) => {
      const name = nameOfText.get(JSON.stringify(each))
      return name === undefined ? each : { $ref: `#/components/parameters/${name}` }
    })
  }
  return Object.fromEntries([...shared].map(([name, text]) => [name, JSON.parse(text) as JsonSchema]))
}

function nameOf({ name }: JsonSchema): string {
  const text = String(name)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
