import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Boleto } from '../rules/boleto'
import type { Deps } from '../../deps'
import { tryToRegister } from './registration'

/** How long a caller waits for the slips of many invoices; the sweeper registers the rest. */
export const MANY_MS = 20_000
/** How many calls to the bank run at once for one caller. */
const AT_ONCE = 10

/**
 * Has the bank register saved slips, until their dispatch deadline. A slip without an answer by then stays PENDING, and
 * the sweeper resolves it. Safe to repeat: the bank has one slip per number.
 */
export async function registerMany(deps: Deps, boletos: readonly Boleto[]): Promise<void> {
  const waiting = [...boletos]
  const work = async () => {
    for (let boleto = waiting.shift(); boleto; boleto = waiting.shift()) {
      if (databaseNow() >= boleto.dispatchDeadline) return
      await registerOne(deps, boleto)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** Registers one slip. A failure does not stop the others: the sweeper tries the slip again. */
async function registerOne(deps: Deps, boleto: Boleto): Promise<void> {
  try {
    await tryToRegister(deps, boleto)
  } catch (err) {
    deps.log.error({ boletoId: boleto.id, err }, 'boleto not registered yet')
  }
}
