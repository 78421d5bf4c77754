const BASE = '{baseUrl}'
const utf8 = new TextEncoder()

/** Encrypts a card as a compact JWE. Runs in any current browser, and in Node.js 20. */
export async function sealCard(card) {
  const response = await fetch(`${BASE}/api/v2/cards/encryption-key`)
  const { kty, n, e, kid, serverTime } = await response.json()
  const { subtle } = globalThis.crypto
  const oaep = { name: 'RSA-OAEP', hash: 'SHA-256' }
  const publicKey = await subtle.importKey('jwk', { kty, n, e }, oaep, false, ['wrapKey'])
  const contentKey = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt'])
  const wrapped = await subtle.wrapKey('raw', contentKey, publicKey, oaep)

  const iat = Math.floor(serverTime / 1000)
  const header = base64url(utf8.encode(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid, iat })))
  const iv = globalThis.crypto.getRandomValues(new Uint8Array(12))
  const gcm = { name: 'AES-GCM', iv, additionalData: utf8.encode(header) }
  const sealed = await subtle.encrypt(gcm, contentKey, utf8.encode(JSON.stringify(card)))
  const [text, tag] = [sealed.slice(0, -16), sealed.slice(-16)]
  return [header, base64url(wrapped), base64url(iv), base64url(text), base64url(tag)].join('.')
}

function base64url(bytes) {
  const text = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
