import type { IncomingMessage } from 'node:http'
import { MIMEType } from 'node:util'
import { DomainError } from '@cofre/platform/errors'

/** The usual spellings, which need no parser. */
const PLAIN = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
])

/**
 * Throws UNSUPPORTED_MEDIA_TYPE unless the body says that it is plain UTF-8 JSON. No other parameter of the type has a
 * meaning (RFC 8259, section 11), and codings have no case (RFC 9110, section 8.4.1).
 */
export function requireJson({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const { 'content-encoding': encoding = '', 'content-type': type } = headers
  const codings = encoding.split(',').map((each) => each.trim().toLowerCase())
  if (!codings.every((coding) => coding === '' || coding === 'identity')) {
    throw unsupported('The body is compressed: send it as it is, without Content-Encoding.')
  }
  if (type === undefined) {
    throw unsupported('The header Content-Type is missing: send "Content-Type: application/json".')
  }
  if (PLAIN.has(type.toLowerCase())) return
  const parsed = parse(type)
  if (parsed?.essence !== 'application/json') {
    throw unsupported('The Content-Type of this body is not application/json.')
  }
  const charset = parsed.params.get('charset') ?? 'utf-8'
  if (!/^utf-?8$/i.test(charset)) {
    throw unsupported('The charset of this body is not UTF-8: send JSON in UTF-8.')
  }
}

function parse(type: string): MIMEType | undefined {
  try {
    return new MIMEType(type)
  } catch {
    return undefined
  }
}

function unsupported(message: string): DomainError {
  return new DomainError('invalid_argument', 'UNSUPPORTED_MEDIA_TYPE', message)
}
