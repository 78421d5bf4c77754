import type { Boleto } from '../boleto/boleto'
import type { Deps } from '../deps'
import { tryToRegister } from './registration'

/** How long a caller waits for the slips of many invoices; those that are left are registered by the sweeper. */
export const MANY_MS = 20_000
/** Calls to the bank at once for one caller. */
const AT_ONCE = 10

/**
 * Has the bank register slips that are saved, until their dispatch deadline. What is not known by then stays PENDING and
 * settles by itself. Safe to repeat: the bank has one slip of a number.
 */
export async function registerMany(deps: Deps, boletos: readonly Boleto[]): Promise<void> {
  const waiting = [...boletos]
  const work = async () => {
    for (let boleto = waiting.shift(); boleto; boleto = waiting.shift()) {
      if (Date.now() >= boleto.dispatchDeadline) return
      await registerOne(deps, boleto)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** One that fails leaves the others alone: the sweeper comes to it. */
async function registerOne(deps: Deps, boleto: Boleto): Promise<void> {
  try {
    await tryToRegister(deps, boleto)
  } catch (err) {
    deps.log.error({ boletoId: boleto.id, err }, 'boleto not registered yet')
  }
}
