import { X509Certificate } from 'node:crypto'
import { ChannelCredentials, ServerCredentials } from '@grpc/grpc-js'
import { observe } from '../telemetry/metrics'

/** PEM texts: the authority that signs every service's certificate, and this service's own pair. */
export type Tls = { ca: string; cert: string; key: string }

type TlsSettings = { tlsCa: string; tlsCert: string; tlsKey: string }

export function tlsOf({ tlsCa, tlsCert, tlsKey }: TlsSettings): Tls {
  return { ca: tlsCa, cert: tlsCert, key: tlsKey }
}

/** Both sides prove who they are: a caller without a certificate of ours gets no connection. */
export function serverCredentials({ ca, cert, key }: Tls): ServerCredentials {
  const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(cert) }
  return ServerCredentials.createSsl(Buffer.from(ca), [pair], true)
}

export function clientCredentials({ ca, cert, key }: Tls): ChannelCredentials {
  return ChannelCredentials.createSsl(Buffer.from(ca), Buffer.from(key), Buffer.from(cert))
}

/** Exports when the certificate expires. It is read at the start: a renewed one counts once the process is replaced. */
export function observeExpiry({ cert }: Tls): void {
  const expiresAt = Date.parse(new X509Certificate(cert).validTo) / 1_000
  const description = 'When the certificate of this process expires, in seconds since 1970.'
  observe('tls_certificate_expires_at_seconds', description, () => expiresAt)
}
