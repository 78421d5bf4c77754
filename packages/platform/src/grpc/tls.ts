import { X509Certificate } from 'node:crypto'
import { ChannelCredentials, ServerCredentials } from '@grpc/grpc-js'
import { observe } from '../telemetry/metrics'

/** PEM texts: the authority that signs every service's certificate, and this service's own pair. */
export type Tls = { ca: string; cert: string; key: string }

type TlsSettings = { TLS_CA_FILE: string; TLS_CERT_FILE: string; TLS_KEY_FILE: string }

export function tlsOf(settings: TlsSettings): Tls {
  return { ca: settings.TLS_CA_FILE, cert: settings.TLS_CERT_FILE, key: settings.TLS_KEY_FILE }
}

/** Both sides prove who they are: a caller without a certificate of ours gets no connection. */
export function serverCredentials({ ca, cert, key }: Tls): ServerCredentials {
  const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(cert) }
  return ServerCredentials.createSsl(Buffer.from(ca), [pair], true)
}

export function clientCredentials({ ca, cert, key }: Tls): ChannelCredentials {
  return ChannelCredentials.createSsl(Buffer.from(ca), Buffer.from(key), Buffer.from(cert))
}

/** Certificates are read at the start: one that was renewed since counts only after the process is replaced. */
export function observeExpiry({ cert }: Tls): void {
  const expiresAt = Date.parse(new X509Certificate(cert).validTo) / 1_000
  const description = 'When the certificate that this process holds runs out, in seconds since 1970.'
  observe('tls_certificate_expires_at_seconds', description, () => expiresAt)
}
