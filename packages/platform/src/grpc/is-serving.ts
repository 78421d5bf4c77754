import type { Client } from '@grpc/grpc-js'

const HEALTH_CHECK = '/grpc.health.v1.Health/Check'
const EMPTY = Buffer.alloc(0)
// HealthCheckResponse with field 1, status, SERVING.
const SERVING = Buffer.from([0x08, 0x01])
const same = (bytes: Buffer) => bytes

/** True when a service answers within a second that it serves (grpc.health.v1). */
export function isServing(client: Client, timeoutMs = 1_000): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { deadline: Date.now() + timeoutMs }
    client.makeUnaryRequest(HEALTH_CHECK, same, same, EMPTY, options, (error, answer) =>
      resolve(!error && answer?.equals(SERVING) === true),
    )
  })
}
