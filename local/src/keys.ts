import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SERVICE_NAMES, services, type ServiceName } from '@cofre/platform/service/services'
import { readIfThere, writePrivately, type RunFolder } from './run-folder'

/** Returns the file of a service's key, under which the service seals its data. */
export function keyFile(run: RunFolder, service: ServiceName, entry: string): string {
  return join(run.keys, service, entry)
}

/** Returns the file of the secret that signs the pushes of the sandbox's token service. */
export function pushSecretFile(run: RunFolder): string {
  return join(run.keys, 'token-service-secret')
}

/** Returns the file of the secret that signs the notices of the sandbox's bank. */
export function bankSecretFile(run: RunFolder): string {
  return join(run.keys, 'bank-secret')
}

/** Returns the file of the secret in the URL by which the sandbox's acquirer calls about disputes. */
export function acquirerSecretFile(run: RunFolder): string {
  return join(run.keys, 'acquirer-webhook-secret')
}

/** Returns the file of our client's secret at the sandbox's identity provider, which the vault uses. */
export function identitySecretFile(run: RunFolder): string {
  return join(run.keys, 'identity-client-secret')
}

/** Makes the missing keys. An existing key is never replaced: everything sealed with it would be lost. */
export function makeKeys(run: RunFolder): string[] {
  const key = () => randomBytes(32).toString('base64')
  const make = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    if (readIfThere(path) === undefined) writePrivately(path, `${text}\n`)
    return path
  }
  const sealing = SERVICE_NAMES.flatMap((service) => {
    const { seals } = services[service]
    if (!seals) return []
    const path = keyFile(run, service, seals.entry)
    return [make(path, seals.named ? `local-1:${key()}` : key())]
  })
  const comparing = SERVICE_NAMES.flatMap((service) => {
    const { fingerprints } = services[service]
    return fingerprints ? [make(keyFile(run, service, fingerprints.entry), `local-1:${key()}`)] : []
  })
  const partners = [
    make(pushSecretFile(run), `whsec_${key()}`),
    make(bankSecretFile(run), `whsec_${key()}`),
    make(acquirerSecretFile(run), randomBytes(32).toString('base64url')),
    make(identitySecretFile(run), key()),
  ]
  return [...sealing, ...comparing, ...partners]
}
