import { randomBytes } from 'node:crypto'
import { openSecret, readKey, sealSecret } from '../src/secret-box'

const key = randomBytes(32)
const sealed = sealSecret(key, 'quiet', 'seller 1')

test('a sealed text opens under the same key and context', () => {
  expect(openSecret(key, sealed, 'seller 1').toString()).toBe('quiet')
})

test('two seals of one text differ', () => {
  expect(sealSecret(key, 'quiet', 'seller 1')).not.toEqual(sealed)
})

test('no two of ten thousand seals have the same nonce', () => {
  const nonces = Array.from({ length: 10_000 }, () => sealSecret(key, '', '').subarray(0, 12).toString('hex'))
  expect(new Set(nonces).size).toBe(10_000)
})

test('another key, another context or any changed byte does not open it', () => {
  expect(() => openSecret(randomBytes(32), sealed, 'seller 1')).toThrow()
  expect(() => openSecret(key, sealed, 'seller 2')).toThrow()
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(() => openSecret(key, changed, 'seller 1')).toThrow()
  }
  expect(() => openSecret(key, sealed.subarray(0, 20), 'seller 1')).toThrow()
})

test('a key is 32 bytes in base64', () => {
  expect(readKey(`\t ${key.toString('base64')}\n`)).toEqual(key)
  expect(() => readKey('c2hvcnQ=')).toThrow('32 bytes')
})
