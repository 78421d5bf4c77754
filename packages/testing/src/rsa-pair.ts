import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomUUID,
  type KeyObject,
} from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** An RSA key pair of 2,048 bits: the same for the whole test run, because making one takes up to a second. */
export function rsaPair(): { publicKey: KeyObject; privateKey: KeyObject } {
  const file = join(process.env['TEST_RUN_DIR'] ?? '', 'rsa-pair.pem')
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    // The rename shows a whole file or none: another worker may make a pair too, and the last one stays.
    const own = `${file}.${randomUUID()}`
    writeFileSync(own, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
    renameSync(own, file)
  }
  const privateKey = createPrivateKey(readFileSync(file))
  return { publicKey: createPublicKey(privateKey), privateKey }
}
