import type { Client } from '@grpc/grpc-js'

const HEALTH_CHECK = '/grpc.health.v1.Health/Check'
/** The name under which a service says whether its database answers. Its probes ask for the process alone. */
export const DATABASE = 'database'
// HealthCheckRequest with field 1, service.
const REQUEST = Buffer.concat([Buffer.from([0x0a, DATABASE.length]), Buffer.from(DATABASE)])
// HealthCheckResponse with field 1, status, SERVING.
const SERVING = Buffer.from([0x08, 0x01])
const same = (bytes: Buffer) => bytes

/** True when a service answers within a second that it serves and reaches its database (grpc.health.v1). */
export function isServing(client: Client, timeoutMs = 1_000): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { deadline: Date.now() + timeoutMs }
    client.makeUnaryRequest(HEALTH_CHECK, same, same, REQUEST, options, (error, answer) =>
      resolve(!error && answer?.equals(SERVING) === true),
    )
  })
}
