// Seals a card to the vault's public key: a compact JWE (RFC 7516), RSA-OAEP-256 and A256GCM, by WebCrypto.
const utf8 = new TextEncoder()

function base64url(bytes) {
  const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('')
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

async function seal(card, { kty, n, e, kid }) {
  const { subtle } = crypto
  const oaep = { name: 'RSA-OAEP', hash: 'SHA-256' }
  const publicKey = await subtle.importKey('jwk', { kty, n, e }, oaep, false, ['wrapKey'])
  const contentKey = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt'])
  const wrapped = await subtle.wrapKey('raw', contentKey, publicKey, oaep)
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const header = base64url(utf8.encode(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid })))
  const gcm = { name: 'AES-GCM', iv, additionalData: utf8.encode(header), tagLength: 128 }
  const sealed = await subtle.encrypt(gcm, contentKey, utf8.encode(JSON.stringify(card)))
  const [text, tag] = [sealed.slice(0, -16), sealed.slice(-16)]
  return [header, ...[wrapped, iv, text, tag].map(base64url)].join('.')
}
