import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'

const DAY_MS = 86_400_000

/** Returns a self-signed certificate for localhost. */
export async function testCertificate(): Promise<{ cert: string; key: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=localhost',
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    signingAlgorithm: algorithm,
    keys,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }])],
  })
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { cert: certificate.toString('pem'), key: PemConverter.encode(key, 'PRIVATE KEY') }
}
