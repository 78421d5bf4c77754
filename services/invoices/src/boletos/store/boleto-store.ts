import type { Db } from '@cofre/platform/postgres/postgres'
import { IssueBoletoResponse } from '@cofre/proto/invoices/v1/boletos'
import { askStore } from '../../methods/store/ask-store'
import type { Boleto } from '../rules/boleto'
import { BOLETO_COLUMNS } from './boleto-columns'
import { boletoMessage } from './boleto-message'
import { claimBoletoNumbers } from './number-store'

export const BOLETOS = askStore<Boleto>({
  table: 'boletos',
  number: 'our_number',
  columns: BOLETO_COLUMNS,
  answerOf: (boleto) =>
    IssueBoletoResponse.encode({ boleto: boletoMessage(boleto), existing: false }).finish(),
})

/** A new slip before it has its number. */
export type NewBoleto = Omit<Boleto, 'id' | 'ourNumber'>

export async function insertBoleto(tx: Db, draft: NewBoleto): Promise<Boleto> {
  const [boleto] = await insertBoletos(tx, [draft])
  if (!boleto) throw new Error('a boleto was not made')
  return boleto
}

/** Saves new slips of one agreement in two statements, however many they are. The answer keeps the order. */
export async function insertBoletos(tx: Db, drafts: readonly NewBoleto[]): Promise<Boleto[]> {
  const [first] = drafts
  if (!first) return []
  const numbers = await claimBoletoNumbers(tx, first, drafts.length)
  const boletos = drafts.map((draft, at) => {
    const number = numbers[at]
    if (!number) throw new Error('a boleto got no number')
    return { ...draft, ...number }
  })
  await tx.query({
    name: 'insert-boletos',
    text: `INSERT INTO boletos (${BOLETO_COLUMNS.inserted()})
      SELECT ${BOLETO_COLUMNS.inserted('r')} FROM json_populate_recordset(null::boletos, $1::json) r`,
    values: [JSON.stringify(boletos.map(BOLETO_COLUMNS.toRow))],
  })
  return boletos
}
