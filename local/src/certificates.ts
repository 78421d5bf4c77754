import { createPrivateKey, X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { SERVICE_NAMES } from '@cofre/platform/service/services'
import { createAuthority, type Authority, type Pair } from '@cofre/testing/certificates'
import { readIfThere, writePrivately, type RunFolder } from './run-folder'

/** A certificate that expires within this time is replaced. */
const SOON_MS = 30 * 86_400_000

/**
 * The names by which the programs of one machine know each other. `sandbox` plays the outside world; `seller` is what
 * the demo sellers show to partners, which no service of ours admits.
 */
export const CERTIFICATE_NAMES = [...SERVICE_NAMES, 'cofrectl', 'sandbox', 'seller'] as const
export type CertificateName = (typeof CERTIFICATE_NAMES)[number]

export type CertificateFiles = { caFile: string; certFile: string; keyFile: string }

export function certificateFiles(run: RunFolder, name: string): CertificateFiles {
  return {
    caFile: join(run.certs, 'authority.crt'),
    certFile: join(run.certs, `${name}.crt`),
    keyFile: join(run.certs, `${name}.key`),
  }
}

/** Makes the folder's own authority and a pair for each program, once, and again before they expire. */
export async function makeCertificates(run: RunFolder): Promise<void> {
  const stored = readPair(run, 'authority')
  const kept = stored && isGood(stored, stored.cert) ? stored : undefined
  const authority = await createAuthority(kept)
  if (!kept) writePair(run, 'authority', authority.pair)
  await Promise.all(CERTIFICATE_NAMES.map((name) => makePair(run, authority, name)))
}

async function makePair(run: RunFolder, authority: Authority, name: CertificateName): Promise<void> {
  const pair = readPair(run, name)
  if (!pair || !isGood(pair, authority.cert)) writePair(run, name, await authority.issue(name))
}

function isGood(pair: Pair, authority: string): boolean {
  const certificate = new X509Certificate(pair.cert)
  return (
    Date.parse(certificate.validTo) - Date.now() > SOON_MS &&
    certificate.verify(new X509Certificate(authority).publicKey) &&
    certificate.checkPrivateKey(createPrivateKey(pair.key))
  )
}

function readPair(run: RunFolder, name: string): Pair | undefined {
  const { certFile, keyFile } = certificateFiles(run, name)
  const [cert, key] = [readIfThere(certFile), readIfThere(keyFile)]
  return cert !== undefined && key !== undefined ? { cert, key } : undefined
}

function writePair(run: RunFolder, name: string, { cert, key }: Pair): void {
  const { certFile, keyFile } = certificateFiles(run, name)
  writePrivately(keyFile, key)
  writePrivately(certFile, cert)
}
