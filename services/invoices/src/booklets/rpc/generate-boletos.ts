import type { DomainError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import {
  GenerateBoletosResponse,
  type GeneratedBoleto,
  type GetRecurringInvoiceRequest,
} from '@cofre/proto/invoices/v1/recurring'
import { bankNotReached, bankRefused } from '../../boletos/registering/bank-refusals'
import { registerMany } from '../../boletos/registering/register-many'
import type { Boleto } from '../../boletos/rules/boleto'
import { NOT_SENT } from '../../methods/rules/registered-ask'
import { boletoMessage } from '../../boletos/store/boleto-message'
import { BOLETOS } from '../../boletos/store/boleto-store'
import type { Deps } from '../../deps'
import { readRecurring } from '../../recurring/store/recurring-store'
import { generateSlips } from '../generate-slips'

/**
 * Saves the intentions with the key's mark in one transaction. Has the bank register the new slips, and returns their
 * state by then. The sweeper resolves slips that the bank has not answered in time.
 */
export async function generateBoletos(
  deps: Deps,
  { sellerId, recurringInvoiceId: id }: GetRecurringInvoiceRequest,
): Promise<Replayable<GenerateBoletosResponse>> {
  const account = await deps.boletos.accounts.find(sellerId)
  const made: Boleto[] = []
  const kept = await withIdempotency(deps.pool, sellerId, GenerateBoletosResponse, async (tx) => {
    await readRecurring(tx, { sellerId, id })
    const slips = await generateSlips(deps, tx, { sellerId, id }, account)
    made.push(...slips.flatMap((each) => ('boleto' in each && each.isNew ? [each.boleto] : [])))
    return {
      boletos: slips.map((each) =>
        'error' in each ? failed(each.invoiceId, each.error) : shown(each.invoiceId, each.boleto),
      ),
    }
  })
  await registerMany(deps, made)
  return { ...kept, response: await asTheyAre(deps, kept.response) }
}

function shown(invoiceId: number, boleto: Boleto): GeneratedBoleto {
  return { invoiceId, boleto: boletoMessage(boleto), errorCode: '', errorDetail: '' }
}

function failed(invoiceId: number, { reason, message }: DomainError): GeneratedBoleto {
  return { invoiceId, boleto: undefined, errorCode: reason, errorDetail: message }
}

/** The slips of a kept answer in their present state. A slip that the bank refused becomes an error. */
async function asTheyAre(
  { pool }: Deps,
  { boletos }: GenerateBoletosResponse,
): Promise<GenerateBoletosResponse> {
  const ids = boletos.flatMap(({ boleto }) => (boleto ? [boleto.id] : []))
  const current = await BOLETOS.byIds(pool, ids)
  return {
    boletos: boletos.map((each) => {
      const boleto = each.boleto && current.get(each.boleto.id)
      if (!boleto) return each
      return boleto.status === 'REFUSED'
        ? failed(each.invoiceId, boleto.refusal === NOT_SENT ? bankNotReached() : bankRefused())
        : shown(each.invoiceId, boleto)
    }),
  }
}
