import { isJsonObject, type Json, type JsonObject } from '../body/json'
import type { Filling } from './filling'
import { fillPlaceholders, invalidCall } from './partner-body'
import type { PartnerSetting } from './partners'

const CONTENT_TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded' }

/**
 * Returns the caller's headers that go out. A header that HTTP can't carry is refused here, where it is certain that
 * nothing was sent. A caller's header never takes the place of a credential.
 */
export function callersHeaders(
  { headers, credentials, bearer, oauth, encoding }: PartnerSetting,
  given: Record<string, string>,
): Record<string, string> {
  const hasToken = bearer || oauth !== undefined
  const names = headers.filter((name) => !(name in credentials) && !(hasToken && name === 'authorization'))
  const allowed = Object.entries(given).filter(([name]) => names.includes(name.toLowerCase()))
  if (allowed.some(([, value]) => !/^[\x20-\x7e]*$/.test(value))) throw invalidCall()
  return { ...Object.fromEntries(allowed), 'content-type': CONTENT_TYPES[encoding] }
}

/** Returns the headers that only the vault can fill in: credentials of the seller's account, and the access token. */
export function secretHeaders(
  { credentials: places, bearer }: PartnerSetting,
  { account, kept }: Filling,
): Record<string, string> {
  const headers = Object.entries(places).map(([header, credential]) => [
    header,
    account.credentials[credential],
  ])
  const token = bearer ? { authorization: `Bearer ${kept?.grant.accessToken}` } : {}
  return { ...Object.fromEntries(headers), ...token }
}

/** Returns the body in the partner's encoding, with everything filled in. */
export function outgoingBody(setting: PartnerSetting, body: JsonObject, filling: Filling): string {
  const filled = fillPlaceholders(body, setting.fields, filling)
  for (const [pointer, credential] of Object.entries(setting.bodyCredentials)) {
    putAt(filled, pointer, filling.account.credentials[credential] ?? '')
  }
  return setting.encoding === 'form' ? formOf(filled) : JSON.stringify(filled)
}

/** Encodes as `application/x-www-form-urlencoded`, which has no place for a list or an object. */
function formOf(body: JsonObject): string {
  const pairs = Object.entries(body).map(([name, value]): [string, string] => {
    if (typeof value === 'object') throw invalidCall()
    return [name, String(value)]
  })
  return new URLSearchParams(pairs).toString()
}

/** Puts a value at a place that the settings name, over anything that the caller wrote there. */
function putAt(body: JsonObject, pointer: string, value: Json): void {
  const names = pointer.split('/').slice(1)
  const last = names.pop() ?? ''
  const parent = names.reduce<Json | undefined>(
    (node, name) => (isJsonObject(node) && Object.hasOwn(node, name) ? node[name] : undefined),
    body,
  )
  if (!isJsonObject(parent)) throw invalidCall()
  parent[last] = value
}
