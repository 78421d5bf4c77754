import { createPrivateKey, createPublicKey, sign, verify, type JsonWebKey } from 'node:crypto'
import { newEd25519Jwk, newRsaJwk } from '../src/private-jwk'

test.each<
  [name: string, make: () => Promise<JsonWebKey> | JsonWebKey, algorithm: string | null, type: object]
>([
  ['RSA', () => newRsaJwk(2_048), 'sha256', { kty: 'RSA', e: 'AQAB' }],
  ['Ed25519', () => newEd25519Jwk(), null, { kty: 'OKP', crv: 'Ed25519' }],
])(
  'a new %s pair signs, and its public half verifies; no two are alike',
  async (_name, make, algorithm, type) => {
    const jwk = await make()
    expect(jwk).toMatchObject(type)
    const { d: _private, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...publicJwk } = jwk
    const text = Buffer.from('a text')
    const signature = sign(algorithm, text, createPrivateKey({ key: jwk, format: 'jwk' }))
    expect(verify(algorithm, text, createPublicKey({ key: publicJwk, format: 'jwk' }), signature)).toBe(true)
    expect((await make())['d']).not.toBe(jwk['d'])
  },
)
