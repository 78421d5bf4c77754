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

/** Every operation of `/openapi.json`, and `resolve`, which resolves references one level at a time. */
export async function operationsOf(product: Product) {
  const { text } = await product.ask('GET', '/openapi.json', { token: null })
  const document = JSON.parse(text) as Document
  const resolve = (schema: Schema): Schema => {
    if (typeof schema.$ref !== 'string') return schema
    const parts = schema.$ref.split('/').slice(1)
    return resolve(parts.reduce((node: unknown, part) => (node as Schema)[part], document) as Schema)
  }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const body = operation.requestBody as { required: boolean; content: Record<string, Schema> } | undefined
      return {
        method: method.toUpperCase(),
        path,
        parameters: (operation.parameters as Schema[]).map((each) => resolve(each) as unknown as Parameter),
        body: body?.content['application/json']?.schema as Schema | undefined,
        bodyRequired: body?.required ?? false,
        secured: (operation.security as unknown[]).length > 0,
      }
    }),
  )
  return { operations, resolve }
}

/** The path with its parameters filled in. */
export function fillPath(path: string, values: Record<string, string | number>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(values[name] ?? '1'))
}
