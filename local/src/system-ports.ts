import { SERVICE_NAMES, type ServiceName } from '@cofre/platform/service/services'
import { freePorts, isFree, takeIfFree } from '@cofre/engines/ports'

const NAMES = [
  'http',
  'sandbox',
  'sandboxInbox',
  'sandboxAcquirer',
  'sandboxAcquirerQuery',
  'sandboxTokenService',
  'sandboxVoucherIssuer',
  'sandboxMail',
  'sandboxBank',
  'sandboxThreeDSecure',
  'sandboxChargebacks',
  'sandboxPixBank',
  'postgres',
  ...SERVICE_NAMES,
  ...SERVICE_NAMES.map(metricsOf),
] as const
export type SystemPorts = Record<(typeof NAMES)[number], number>

/** Returns the name of a service’s metrics port. */
export function metricsOf<Name extends ServiceName>(name: Name): `${Name}Metrics` {
  return `${name}Metrics`
}

/**
 * Chooses a port for everything that listens. Takes the requested ports or throws; the others keep those of the last
 * start where they are free, so that addresses stay the same.
 */
export async function choosePorts(
  wanted: { http: number; sandbox: number },
  saved: Record<string, number>,
): Promise<SystemPorts> {
  const asked = { http: ['PORT', wanted.http], sandbox: ['SANDBOX_PORT', wanted.sandbox] } as const
  for (const [setting, port] of Object.values(asked)) {
    if (port !== 0 && !(await isFree(port))) {
      throw new Error(`Port ${port} is taken. Choose another: ${setting}=${port + 1000} npm start`)
    }
  }
  const fresh = await freePorts(NAMES.length)
  const chosen = NAMES.map(async (name, at) => {
    const port = name === 'http' || name === 'sandbox' ? asked[name][1] : 0
    const last = saved[name]
    if (port !== 0) return [name, port] as const
    return [name, last !== undefined && (await takeIfFree(last)) ? last : fresh[at]] as const
  })
  return Object.fromEntries(await Promise.all(chosen)) as SystemPorts
}
