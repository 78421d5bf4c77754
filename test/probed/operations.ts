import { pathsOf } from '../../services/gateway/src/http/route'
import { routes } from '../../services/gateway/src/api/all-routes'
import type { Product } from './product'

export type Schema = { [keyword: string]: unknown }
export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }
export type Operation = {
  method: string
  path: string
  parameters: Parameter[]
  /** The schema of its body; undefined when it takes none. */
  body: Schema | undefined
  bodyRequired: boolean
  /** Whether it needs a token. */
  secured: boolean
}

type Document = { paths: Record<string, Record<string, Schema>>; components: Record<string, Schema> }

/** Every operation of `/openapi.json`, by each of its paths, and `resolve`, which resolves references one level at a time. */
export async function operationsOf(product: Product) {
  const { text } = await product.ask('GET', '/openapi.json', { token: null })
  const document = JSON.parse(text) as Document
  const resolve = (schema: Schema): Schema => {
    if (typeof schema.$ref !== 'string') return schema
    const parts = schema.$ref.split('/').slice(1)
    return resolve(parts.reduce((node: unknown, part) => (node as Schema)[part], document) as Schema)
  }
  const operations = Object.entries(document.paths).flatMap(([shown, methods]) =>
    Object.entries(methods).flatMap(([method, operation]): Operation[] => {
      const body = operation.requestBody as { required: boolean; content: Record<string, Schema> } | undefined
      const whole = {
        method: method.toUpperCase(),
        parameters: (operation.parameters as Schema[]).map((each) => resolve(each) as unknown as Parameter),
        body: body?.content['application/json']?.schema as Schema | undefined,
        bodyRequired: body?.required ?? false,
        secured: (operation.security as unknown[]).length > 0,
      }
      return pathsFrom(whole.method, shown).map((path) => {
        return { ...whole, path, parameters: parametersOf(path, whole.parameters) }
      })
    }),
  )
  return { operations, resolve }
}

/** The parameters of one path of an operation: another path may have the seller in more places, or in none. */
function parametersOf(path: string, ofOperation: readonly Parameter[]): Parameter[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): Parameter => {
    const known = ofOperation.find((each) => each.in === 'path' && each.name === name)
    return known ?? { name, in: 'path', required: true, schema: { type: 'integer' } }
  })
  return [...inPath, ...ofOperation.filter((each) => each.in !== 'path')]
}

/** The path of an operation, and its other paths, which the document only names. */
function pathsFrom(method: string, shown: string): readonly string[] {
  const route = routes.find((each) => each.method === method && each.path === shown)
  if (!route) throw new Error(`the document shows ${method} ${shown}, which is no route`)
  return pathsOf(route)
}

/** The path with its parameters filled in. An id that is no number stands under the name of its thing, as `events`. */
export function fillPath(path: string, values: Record<string, string | number>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string, at: number) => {
    const thing = path.slice(0, at).split('/').at(-2) ?? ''
    return encodeURIComponent(values[thing] ?? values[name] ?? '1')
  })
}
