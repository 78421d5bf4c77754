import { enumNames } from '@cofre/api/schema'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { BankAccountType, BillingSettings, Lateness } from '@cofre/proto/invoices/v1/money'
import { z } from 'zod'
import { route } from '../../http/route'
import { day } from '../fields/body-fields'
import { email } from '../fields/email-field'
import { INVOICES } from '../invoices/invoice-urls'

const PATH = `${INVOICES}/settings`
const tag = 'Invoices'

const lateness = enumNames('Lateness', Lateness)

const feeSchema = z
  .object({
    installments: z
      .int()
      .min(1)
      .max(12)
      .meta({ description: 'The fee holds from this number of installments on, until the next entry.' }),
    percentageBps: z.int().min(0).max(5_000).meta({ description: 'Hundredths of a percent.' }),
    fixedInCents: z.int().min(0).max(100_000),
  })
  .meta({ id: 'CardFee', description: 'The acquirer’s fee for a card payment.' })

const accountType = enumNames('BankAccountType', BankAccountType)

const receiverSchema = z
  .object({
    branch: z
      .string()
      .regex(/^\d{0,4}$/)
      .meta({ description: 'Without the check digit. Empty where the bank has no branches.' }),
    account: z
      .string()
      .regex(/^[0-9A-Za-z]{1,20}$/)
      .meta({ description: 'With the check digit, without punctuation.' }),
    type: accountType.schema,
  })
  .meta({ id: 'PixReceiver', description: 'A bank account of yours.' })

const contactSchema = z
  .object({
    email: email().nullable().meta({ description: 'Answers to letters go there.' }),
    phone: z
      .string()
      .trim()
      .regex(/^[+(]?\d[\d ().-]{1,27}\d$/, 'must be a phone number of 3 to 30 characters')
      .nullable()
      .meta({ description: 'As your customers dial it.' }),
  })
  .meta({ id: 'Contact', description: 'Whom payers ask.' })

const contactRequestSchema = z
  .object({
    email: contactSchema.shape.email.default(null),
    phone: contactSchema.shape.phone.default(null),
  })
  .meta({ id: 'ContactRequest', description: 'Whom payers ask. What you leave out is not named.' })

const EXAMPLE = {
  lateness: 'WAIVE',
  holidays: ['2027-01-25'],
  cardFees: [
    { installments: 1, percentageBps: 299, fixedInCents: 0 },
    { installments: 2, percentageBps: 399, fixedInCents: 39 },
  ],
  pixReceiver: { branch: '3456', account: '1234567', type: 'CHECKING' },
  contact: { email: 'help@shop.example.com', phone: '+5511999990000' },
}

const settingsSchema = z
  .object({
    lateness: lateness.schema.meta({
      description:
        'WAIVE: money that covers the principal pays a late invoice, and fine and interest are written off. DEMAND: fine and interest are asked for as well.',
    }),
    holidays: z.array(day()).max(500).meta({
      description:
        'Days on which the banks of your town are closed, besides weekends and the holidays of the whole country. What is due on one may be paid on the next business day. They count for invoices that are made later.',
    }),
    cardFees: z.array(feeSchema).max(12).meta({
      description:
        'The fees that your acquirer agreed with you. The payer bears them where an invoice says feePassThrough. Empty: those of the installation.',
    }),
    pixReceiver: receiverSchema.nullable().meta({
      description:
        'The account that gets what Pix Automático collects: one of the bank of your Pix account. null: no payer is asked for the permission.',
    }),
    contact: contactSchema.nullable().meta({
      description:
        'Whom payers ask: in the foot of each letter, and the address to which they answer. null: letters name you alone.',
    }),
  })
  .meta({ id: 'BillingSettings', examples: [EXAMPLE] })

const requestSchema = settingsSchema
  .extend({
    holidays: settingsSchema.shape.holidays.default([]),
    cardFees: settingsSchema.shape.cardFees.default([]),
    pixReceiver: settingsSchema.shape.pixReceiver.default(null),
    contact: contactRequestSchema.nullable().default(null),
  })
  .meta({ id: 'BillingSettingsRequest', examples: [EXAMPLE] })

function present({ holidays, cardFees, pixReceiver, contact, ...settings }: BillingSettings) {
  const receiver = pixReceiver ? { ...pixReceiver, type: accountType.nameOf(pixReceiver.type) } : null
  return {
    status: 200,
    body: {
      lateness: lateness.nameOf(settings.lateness),
      holidays,
      cardFees,
      pixReceiver: receiver,
      contact: contact ? { email: contact.email || null, phone: contact.phone || null } : null,
    },
  }
}

const getSettings = route({
  method: 'GET',
  path: PATH,
  scope: 'invoices:read',
  operationId: 'getBillingSettings',
  tag,
  summary: 'Read how the money of your invoices is taken',
  responses: { 200: { description: 'The settings, or the defaults.', schema: settingsSchema } },
  handle: ({ sellerId }, { services: { money } }) => callRpc(money, money.getBillingSettings, { sellerId }),
  present,
})

const replaceSettings = route({
  method: 'PUT',
  path: PATH,
  scope: 'invoices:write',
  operationId: 'replaceBillingSettings',
  tag,
  summary: 'Replace how the money of your invoices is taken',
  body: { kind: 'json', schema: requestSchema, required: true },
  responses: { 200: { description: 'Replaced.', schema: settingsSchema } },
  message: BillingSettings,
  handle: ({ sellerId, body }, { services: { money } }) => {
    const { pixReceiver: given } = body
    const pixReceiver = given ? { ...given, type: accountType.valueOf(given.type) } : undefined
    const contact = body.contact
      ? { email: body.contact.email ?? '', phone: body.contact.phone ?? '' }
      : undefined
    const settings = { ...body, lateness: lateness.valueOf(body.lateness), pixReceiver, contact }
    return callRepeatable(money, money.replaceBillingSettings, { sellerId, settings })
  },
  present,
})

export const billingSettingsRoutes = [getSettings, replaceSettings]
