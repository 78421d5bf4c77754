import type { CustomerJson } from '@cofre/api/customer'
import { parseDocument } from '@cofre/platform/card/tax-number'
import type { Field } from '../desk/fields'
import type { Ask, Given } from '../desk/thing'
import type { Word } from '../words/portuguese'
import { word } from '../words/value'

const OFFERED = 50

/** The customer who is billed already. */
type Billed = Pick<CustomerJson, 'id' | 'document'>

/** Who is billed, by CPF, CNPJ or name. Where several match, one of them is chosen. */
export async function customerFields(ask: Ask, given: Given, billed?: Billed): Promise<Field[]> {
  const found = await matching(ask, given('document'))
  return [
    {
      name: 'document',
      label: 'Customer',
      kind: 'text',
      required: true,
      hint: word('A CPF, a CNPJ, or the beginning of the name.'),
      value: billed?.document ?? '',
    },
    ...(found.length > 1 ? [choiceOf(found)] : []),
  ]
}

function choiceOf(found: readonly CustomerJson[]): Field {
  const options = found.map(
    ({ id, name, document, email }) =>
      [String(id), { own: [name, document, email].filter(Boolean).join(', ') }] as const,
  )
  return {
    name: 'customerId',
    label: 'Which of them',
    kind: 'choice',
    options: [['', 'Choose a customer'], ...options],
  }
}

/** The customer who was typed, and chosen where several match. Of one that was deleted, what is billed keeps the id. */
export async function customerOf(
  ask: Ask,
  { document, customerId }: Record<string, unknown>,
  billed?: Billed,
): Promise<{ id: number } | { faults: Record<string, Word> }> {
  const typed = typeof document === 'string' ? document : ''
  if (billed && customerId === undefined && parseDocument(typed) === billed.document) return billed
  const found = await matching(ask, typed)
  const [only, ...others] = found
  if (!only)
    return { faults: { document: 'No customer has this CPF, CNPJ or name. Create the customer first.' } }
  const chosen = others.length === 0 ? only : found.find(({ id }) => String(id) === customerId)
  return chosen ?? { faults: { customerId: 'Several customers match. Choose one.' } }
}

export async function matching(ask: Ask, typed: string): Promise<CustomerJson[]> {
  const text = typed.trim()
  if (text === '') return []
  const document = parseDocument(text)
  const filter: Record<string, string> = document === undefined ? { name: text } : { document }
  const { content } = (await ask('listCustomers', { ...filter, size: String(OFFERED) })) as {
    content: CustomerJson[]
  }
  return content
}
