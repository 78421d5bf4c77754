import { parseTree, type ParseError } from 'jsonc-parser'

/** Describes where bytes that JSON.parse refused stop being JSON. Shows none of the bytes. */
export function jsonFault(body: Uint8Array): string {
  if (body.length === 0) return 'The request has no body. Send one in JSON.'
  const text = decode(body)
  if (text === undefined) return 'The body is not UTF-8.'
  if (text.startsWith('\uFEFF')) return 'The body begins with a byte order mark. Send JSON without one.'
  const [first] = faultsOf(text)
  if (!first) return 'The body is not valid JSON.'
  const before = text.slice(0, first.offset).split(/\r\n|[\r\n]/)
  return `The body stops being valid JSON at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}.`
}

function faultsOf(text: string): ParseError[] {
  const errors: ParseError[] = []
  try {
    parseTree(text, errors, { disallowComments: true, allowEmptyContent: false })
  } catch {
    // The nesting is too deep for the parser.
  }
  return errors
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(body: Uint8Array): string | undefined {
  try {
    return utf8.decode(body)
  } catch {
    return undefined
  }
}
