import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const DAY_MS = 86_400_000

export type Pair = { cert: string; key: string }
export type Authority = {
  cert: string
  issue(name: string, options?: { hosts?: string[]; days?: number; named?: boolean }): Promise<Pair>
}

/**
 * A certificate authority for one machine: `npm start` and the tests. A deployment brings its own. Services are
 * known by the DNS name of their certificate; every one also carries `localhost`. `days` below 0: already expired.
 * `named` false: without any DNS name, as another authority may issue it.
 */
export async function createAuthority(stored?: Pair): Promise<Authority & { pair: Pair }> {
  x509.cryptoProvider.set(webcrypto as unknown as Parameters<typeof x509.cryptoProvider.set>[0])
  const pair = stored ?? (await selfSigned())
  const issuer = new x509.X509Certificate(pair.cert)
  const signingKey = await importKey(pair.key)
  const issue: Authority['issue'] = async (name, { hosts = [], days = 825, named = true } = {}) => {
    const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
    const dns = [name, 'localhost', ...hosts].map((value) => ({ type: 'dns' as const, value }))
    const names = new x509.SubjectAlternativeNameExtension([...dns, { type: 'ip', value: '127.0.0.1' }])
    const certificate = await x509.X509CertificateGenerator.create({
      subject: `CN=${name}`,
      issuer: issuer.subject,
      ...validity(days),
      publicKey: keys.publicKey,
      signingKey,
      signingAlgorithm: ALGORITHM,
      extensions: [
        ...(named ? [names] : []),
        new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']),
      ],
    })
    return { cert: certificate.toString('pem'), key: await exportKey(keys.privateKey) }
  }
  return { cert: pair.cert, pair, issue }
}

async function selfSigned(): Promise<Pair> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Cofre local authority',
    ...validity(3_650),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 1, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ],
  })
  return { cert: certificate.toString('pem'), key: await exportKey(keys.privateKey) }
}

function validity(days: number): { notBefore: Date; notAfter: Date } {
  const until = Date.now() + days * DAY_MS
  return { notBefore: new Date(Math.min(Date.now(), until) - DAY_MS), notAfter: new Date(until) }
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')
}

function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const [der] = x509.PemConverter.decode(pem)
  return webcrypto.subtle.importKey('pkcs8', der as ArrayBuffer, ALGORITHM, true, ['sign'])
}
