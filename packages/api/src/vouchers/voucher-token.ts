import { VoucherTokenStatus, type VoucherToken } from '@cofre/proto/vouchers/v1/vouchers'
import { z } from 'zod'
import { enumNames, epochMs } from '../schema'
import { voucherCardFields, voucherCardType } from './voucher-card'

const status = enumNames('VoucherTokenStatus', VoucherTokenStatus)

const fields = {
  token: z.string().meta({ description: '64 hexadecimal digits.' }),
  ...voucherCardFields,
  lastFour: z.string().nullable().meta({ description: 'Null until the card is known.' }),
  status: status.schema.meta({ description: 'Only an ACTIVE token can pay.' }),
  createdAt: epochMs(),
}

/** A voucher token, as the API shows it. */
export const voucherTokenSchema = z
  .object({
    ...fields,
    cardReference: z.string().optional().meta({ description: 'The cardReference of the redirect request.' }),
    reason: z.string().optional().meta({
      description:
        'With DENIED, EXPIRED and FAILED: ACCESS_DENIED, AUTHORIZATION_EXPIRED, GRANT_REVOKED, CODE_REFUSED, PROVIDER_ERROR, CARD_NOT_ELIGIBLE.',
    }),
  })
  .meta({
    id: 'VoucherToken',
    examples: [
      {
        token: 'f3a1'.repeat(16),
        cardType: 'MEAL',
        cardBrand: 'VR',
        lastFour: '1234',
        status: 'ACTIVE',
        createdAt: 1_767_225_600_000,
      },
    ],
  })

/** The data of a voucher token's notification: every member, each time. */
export const voucherTokenNotificationSchema = z
  .object({ ...fields, cardReference: z.string().nullable(), reason: z.string().nullable() })
  .meta({
    id: 'VoucherTokenNotification',
    examples: [
      {
        token: 'f3a1'.repeat(16),
        cardType: 'MEAL',
        cardBrand: 'TICKET',
        lastFour: '1234',
        status: 'ACTIVE',
        createdAt: 1_767_225_600_000,
        cardReference: 'card-of-ana',
        reason: null,
      },
    ],
  })

export type VoucherTokenNotification = z.output<typeof voucherTokenNotificationSchema>

export function presentVoucherToken(token: VoucherToken): z.output<typeof voucherTokenSchema> {
  const { cardReference, reason } = token
  return { ...shown(token), ...(cardReference ? { cardReference } : {}), ...(reason ? { reason } : {}) }
}

export function presentVoucherTokenNotification(token: VoucherToken): VoucherTokenNotification {
  return { ...shown(token), cardReference: token.cardReference || null, reason: token.reason || null }
}

function shown(token: VoucherToken): z.output<z.ZodObject<typeof fields>> {
  return {
    token: token.token,
    cardType: voucherCardType.nameOf(token.cardType),
    cardBrand: token.cardBrand,
    lastFour: token.lastFour || null,
    status: status.nameOf(token.status),
    createdAt: token.createdAt,
  }
}
