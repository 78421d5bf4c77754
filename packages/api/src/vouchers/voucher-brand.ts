import { VoucherFlow, type VoucherBrand } from '@cofre/proto/vouchers/v1/vouchers'
import { z } from 'zod'
import { enumNames } from '../schema'
import { voucherCardType } from './voucher-card'

const flow = enumNames('VoucherFlow', VoucherFlow)

const voucherBrandSchema = z
  .object({
    brand: z.string(),
    flow: flow.schema.meta({
      description:
        'CARD_NUMBER: a card number is exchanged for a token. REDIRECT: the cardholder signs in with the brand.',
    }),
    cardTypes: z.array(voucherCardType.schema),
    capabilities: z
      .object({
        cancel: z.boolean().meta({ description: 'Whether a payment can be cancelled on the same day.' }),
      })
      .meta({ id: 'VoucherCapabilities' }),
    availableFrom: z.iso
      .date()
      .nullable()
      .meta({ description: 'The day from which you can use the brand. Null: you can use it now.' }),
  })
  .meta({ id: 'VoucherBrand' })

/** The voucher brands of this deployment. */
export const voucherBrandsSchema = z.array(voucherBrandSchema).meta({
  id: 'VoucherBrands',
  examples: [
    [
      {
        brand: 'ALELO',
        flow: 'CARD_NUMBER',
        cardTypes: ['MEAL', 'FOOD'],
        capabilities: { cancel: true },
        availableFrom: null,
      },
      {
        brand: 'TICKET',
        flow: 'REDIRECT',
        cardTypes: ['MEAL', 'FOOD'],
        capabilities: { cancel: true },
        availableFrom: null,
      },
    ],
  ],
})

export function presentVoucherBrand(brand: VoucherBrand): z.output<typeof voucherBrandSchema> {
  return {
    brand: brand.brand,
    flow: flow.nameOf(brand.flow),
    cardTypes: brand.cardTypes.map(voucherCardType.nameOf),
    capabilities: { cancel: brand.cancels },
    availableFrom: brand.availableFrom || null,
  }
}
