import { createServer, type AddressInfo } from 'node:net'
import { startTelemetry } from '@cofre/platform/telemetry/telemetry'
import { createAuthority } from '@cofre/testing/certificates'
import { startGrpcServer } from '@cofre/platform/grpc/server'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('a service exports when its certificate expires', async () => {
  const port = await freePort()
  const settings = { metricsPort: port, metricsHost: '127.0.0.1', otelTracesSamplerArg: 0 }
  const telemetry = await startTelemetry('orders', settings)
  const authority = await createAuthority()
  const tls = { ca: authority.cert, ...(await authority.issue('orders', { days: 10 })) }
  const server = await startGrpcServer({ host: '127.0.0.1', port: 0, tls }, [])
  try {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const [, told] = /^tls_certificate_expires_at_seconds\{[^}]*\} (\S+)$/m.exec(text) ?? []
    expect((Number(told) * 1_000 - Date.now()) / 86_400_000).toBeCloseTo(10, 1)
  } finally {
    await server.close()
    await telemetry.stop()
  }
})
