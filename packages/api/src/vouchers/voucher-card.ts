import { VoucherCardType } from '@cofre/proto/vouchers/v1/vouchers'
import { z } from 'zod'
import { enumNames } from '../schema'

export const voucherCardType = enumNames('VoucherCardType', VoucherCardType)

/** The fields of a voucher card that every resource shows. */
export const voucherCardFields = {
  cardType: voucherCardType.schema,
  cardBrand: z.string().meta({ description: 'In upper case.', examples: ['ALELO'] }),
}
