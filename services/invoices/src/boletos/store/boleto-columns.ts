import { changing, fixed, table } from '@cofre/platform/postgres/columns'
import { ASK_COLUMNS } from '../../methods/store/ask-columns'
import type { Boleto } from '../rules/boleto'

/** The one place that names the columns of a slip. */
export const BOLETO_COLUMNS = table<Boleto>({
  id: fixed,
  ...ASK_COLUMNS,
  ourNumber: changing,
  barcode: changing,
  digitableLine: changing,
  documentNumber: fixed,
  dueDay: fixed,
  lateOn: fixed,
  fine: fixed,
  interest: fixed,
  instructions: fixed,
  payer: { prefix: 'payer_', fields: { name: fixed, document: fixed, address: fixed, place: fixed } },
  beneficiary: {
    prefix: 'beneficiary_',
    fields: { name: changing, document: changing, agency: changing, account: changing, address: changing },
  },
})
