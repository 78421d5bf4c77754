import { z } from 'zod'

const MAX_HEADERS = 10
const MAX_NAME = 100
const MAX_VALUE = 1_000

/** Headers of the message and of the connection, and the headers that Cofre itself sets for the receiver. */
const RESERVED =
  /^(accept-encoding|connection|content-.*|cookie|date|expect|forwarded|host|keep-alive|proxy-.*|te|trace(parent|state)|trailer|transfer-encoding|upgrade|user-agent|via|webhook-.*|x-forwarded-.*)$/

/** Static headers of a seller's endpoint, such as a key that its server asks for. Names are kept in lower case. */
export const ownHeaders = z
  .record(
    z
      .string()
      .max(MAX_NAME)
      .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be the name of a header'),
    z
      .string()
      .max(MAX_VALUE)
      .regex(/^[!-~]([ -~]*[!-~])?$/, 'must be visible ASCII characters, without a space at either end'),
  )
  .superRefine((headers, context) => {
    const names = Object.keys(headers)
    const fault = (path: string[], code: string, detail: string) =>
      context.addIssue({ code: 'custom', path, params: { code, detail } })
    if (names.length > MAX_HEADERS) fault([], 'LENGTH', `must have at most ${MAX_HEADERS} headers`)
    const seen = new Set<string>()
    for (const name of names) {
      const lower = name.toLowerCase()
      if (RESERVED.test(lower)) fault([name], 'RESERVED', 'is a header that only Cofre sets')
      if (seen.has(lower)) fault([name], 'DUPLICATE', 'must not be given twice')
      seen.add(lower)
    }
  })
  .transform((headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  )
  .meta({
    description:
      `Headers that every delivery carries, at most ${MAX_HEADERS}. Headers of HTTP itself, \`user-agent\`, \`traceparent\` and ` +
      'those that begin with `webhook-` are reserved. No answer shows the values. In a replacement, leave `headers` out to keep them; an empty object removes them.',
  })
