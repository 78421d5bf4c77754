import { domainToASCII } from 'node:url'
import { z } from 'zod'

const MAX = 255
/** Octets (RFC 5321, 4.5.3.1). */
const MAX_LOCAL_PART = 64
const MAX_DOMAIN = 253

/** A dot-atom (RFC 5321) that may have letters of any script (RFC 6531). A quoted part is not accepted. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+(\.[\w!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+)*$/u
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** An e-mail address in a body, without the spaces that a form leaves around it. */
export function email() {
  return z
    .string()
    .trim()
    .max(MAX)
    .refine(isAddress, { params: { code: 'FORMAT', detail: 'must be an e-mail address' } })
    .meta({
      format: 'idn-email',
      description: 'An e-mail address. Names and domains may have letters of any script.',
    })
}

function isAddress(given: string): boolean {
  const at = given.lastIndexOf('@')
  const [local, domain] = [given.slice(0, at), domainToASCII(given.slice(at + 1))]
  if (Buffer.byteLength(local) > MAX_LOCAL_PART || !LOCAL_PART.test(local)) return false
  return isDomain(domain) && isPlain(given.slice(at + 1))
}

/** True for a name of at least two labels, of which the last is no number: an IP address is not accepted. */
function isDomain(domain: string): boolean {
  const labels = domain.split('.')
  const isNamed = labels.length > 1 && !/^\d+$/.test(labels.at(-1) ?? '')
  return isNamed && domain.length <= MAX_DOMAIN && labels.every((label) => LABEL.test(label))
}

/** The URL parser decodes and drops characters that no domain has. */
function isPlain(domain: string): boolean {
  return /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)
}
