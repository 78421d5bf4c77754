import type { RaiseBoletoNumbersRequest, RaiseBoletoNumbersResponse } from '@cofre/proto/invoices/v1/invoices'
import type { Deps } from '../../deps'
import { fault, throwFaults } from '../../request-check'
import { SEQUENCE_MAX } from '../rules/our-number'
import { raiseBoletoNumbers as raise } from '../store/number-store'

export async function raiseBoletoNumbers(
  { pool, boletos, log }: Deps,
  { sellerId, account, firstNumber }: RaiseBoletoNumbersRequest,
): Promise<RaiseBoletoNumbersResponse> {
  const isNumber = firstNumber >= 1 && firstNumber <= SEQUENCE_MAX
  const isTheirs = (await boletos.accounts.find(sellerId)) === account
  throwFaults([
    ...(isNumber ? [] : [fault('#/firstNumber', 'RANGE', `must be 1 to ${SEQUENCE_MAX}`)]),
    ...(isTheirs ? [] : [fault('#/account', 'UNKNOWN', 'is not the agreement of the seller')]),
  ])
  const nextNumber = await raise(pool, { sellerId, account }, firstNumber)
  log.info({ sellerId, agreement: account, nextNumber }, 'numbers of boletos raised')
  return { nextNumber }
}
