import type { Json } from '../support'

export type Schema = Record<string, Json>

/**
 * Returns the document in a form that a validator can use. It contradicts itself in these places:
 * - a pattern stands between slashes, and no pattern is anchored;
 * - a list of demanded members names one that the schema does not define, as `logradouro` beside `recebedor`, or `cobs` in
 *   the list of Pix. A member that is only demanded may be there, and may be absent;
 * - of alternatives exactly one must hold, but they do not exclude each other;
 * - a location is a URI, but no example has a scheme;
 * - the amount of a Pix Automático is a text and an object.
 */
export function corrected(document: Json): Json {
  const fixed = walk(document, document)
  const { schemas } = fixed.components
  schemas.CobVValor.properties.desconto.oneOf[0].required = ['descontoDataFixa']
  delete schemas.PixAutomatico.properties.valor.anyOf
  for (const schema of [schemas.RecEncerramento, schemas.CobRAtualizacao]) {
    const [rejected, cancelled] = schema.properties.encerramento.oneOf
    rejected.required = Object.keys(rejected.properties)
    cancelled.required = Object.keys(cancelled.properties)
  }
  const payer = schemas.RecRevisada.allOf[1].properties.vinculo.properties.devedor
  payer.anyOf = payer.oneOf
  delete payer.oneOf
  // Not in the document: the banks say who paid. A seller must do without.
  schemas.Pix.properties.pagador = {
    type: 'object',
    required: ['nome'],
    properties: { cpf: { type: 'string' }, cnpj: { type: 'string' }, nome: { type: 'string' } },
  }
  return fixed
}

function walk(node: Json, document: Json, name = ''): Json {
  if (Array.isArray(node)) return node.map((item) => walk(item, document))
  if (typeof node !== 'object' || node === null) return node
  const copy: Schema = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, walk(value, document, key)]),
  )
  if (typeof copy['pattern'] === 'string') {
    copy['pattern'] = `^(?:${copy['pattern'].replaceAll(/^\/|\/$/g, '')})$`
  }
  if (name === 'location') delete copy['format']
  if (Array.isArray(copy['required'])) {
    const defined = new Set(definedIn(node, document))
    copy['x-demanded'] = copy['required']
    copy['required'] = copy['required'].filter((member: string) => defined.has(member))
  }
  return copy
}

/** Returns the names of the members that a schema, or a part of it, defines. */
function definedIn(schema: Schema, document: Json): string[] {
  const named = Object.keys(schema['properties'] ?? {})
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((word): Schema[] => schema[word] ?? [])
  const referred: string[] = schema['$ref']?.slice(2).split('/') ?? []
  const target = referred.length > 0 ? [referred.reduce((at, name) => at[name], document)] : []
  return [...named, ...[...parts, ...target].flatMap((part) => definedIn(part, document))]
}
