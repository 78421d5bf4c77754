import { isDay } from '@cofre/platform/calendar-day'
import type { FieldError } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import {
  BillingSettings as Message,
  BankAccountType,
  type CardFee,
  Lateness,
  type PixReceiver as ReceiverMessage,
  type GetBillingSettingsRequest,
  type ReplaceBillingSettingsRequest,
} from '@cofre/proto/invoices/v1/money'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { fault, throwFaults } from '../../request-check'
import {
  ACCOUNT_TYPES,
  readBillingSettings,
  saveBillingSettings,
  type Contact,
  type PixReceiver,
} from '../settings/billing-settings-store'

/** Those of decades. */
const HOLIDAYS_MAX = 500
const CHOICES = ['WAIVE', 'DEMAND'] as const

export async function getBillingSettings(
  { pool }: Deps,
  { sellerId }: GetBillingSettingsRequest,
): Promise<Message> {
  const { lateness, holidays, cardFees, pixReceiver, contact } = await readBillingSettings(pool, sellerId)
  return {
    lateness: Lateness[lateness],
    holidays: [...holidays],
    cardFees: [...cardFees],
    pixReceiver: pixReceiver ? { ...pixReceiver, type: BankAccountType[pixReceiver.type] } : undefined,
    contact: contact ?? undefined,
  }
}

export async function replaceBillingSettings(
  { pool }: Deps,
  { sellerId, settings }: ReplaceBillingSettingsRequest,
): Promise<Replayable<Message>> {
  const lateness = CHOICES.find((name) => Lateness[name] === settings?.lateness)
  const holidays = [...new Set(settings?.holidays)].toSorted()
  throwFaults([
    ...(lateness ? [] : [fault('#/lateness', 'ENUM', `must be ${CHOICES.join(' or ')}`)]),
    ...(holidays.every(isDay) ? [] : [fault('#/holidays', 'FORMAT', 'must be days: YYYY-MM-DD')]),
    ...(holidays.length > HOLIDAYS_MAX
      ? [fault('#/holidays', 'MAX', `must be at most ${HOLIDAYS_MAX}`)]
      : []),
    ...feeFaults(settings?.cardFees ?? []),
    ...receiverFaults(settings?.pixReceiver),
    ...contactFaults(settings?.contact),
  ])
  const cardFees = (settings?.cardFees ?? []).toSorted((a, b) => a.installments - b.installments)
  const pixReceiver = receiverOf(settings?.pixReceiver)
  const contact = contactOf(settings?.contact)
  return withIdempotency(pool, sellerId, Message, async (tx) => {
    if (lateness) {
      const saved = { lateness, holidays, cardFees, pixReceiver, contact }
      await saveBillingSettings(tx, sellerId, saved, now())
    }
    return {
      lateness: settings?.lateness ?? Lateness.UNSPECIFIED,
      holidays,
      cardFees,
      pixReceiver: settings?.pixReceiver,
      contact: contact ?? undefined,
    }
  })
}

/** Each number of installments once; shares and amounts within the limits that the installation's setting has too. */
function feeFaults(fees: readonly CardFee[]): FieldError[] {
  const isRepeated = new Set(fees.map(({ installments }) => installments)).size < fees.length
  const repeated = isRepeated ? [fault('#/cardFees', 'DUPLICATE', 'must have each installments once')] : []
  const ofRows = fees.flatMap(({ installments, percentageBps, fixedInCents }, place) => [
    ...within(installments, 1, 12, `#/cardFees/${place}/installments`),
    ...within(percentageBps, 0, 5_000, `#/cardFees/${place}/percentageBps`),
    ...within(fixedInCents, 0, 100_000, `#/cardFees/${place}/fixedInCents`),
  ])
  return [...repeated, ...ofRows]
}

function receiverFaults(given: ReceiverMessage | undefined): FieldError[] {
  if (!given) return []
  return [
    ...(/^\d{0,4}$/.test(given.branch)
      ? []
      : [fault('#/pixReceiver/branch', 'FORMAT', 'must be up to 4 digits')]),
    ...(/^[0-9A-Za-z]{1,20}$/.test(given.account)
      ? []
      : [fault('#/pixReceiver/account', 'FORMAT', 'must be 1 to 20 digits or letters')]),
    ...(receiverOf(given)
      ? []
      : [fault('#/pixReceiver/type', 'ENUM', `must be one of ${ACCOUNT_TYPES.join(', ')}`)]),
  ]
}

function receiverOf(given: ReceiverMessage | undefined): PixReceiver | null {
  const type = ACCOUNT_TYPES.find((name) => BankAccountType[name] === given?.type)
  return given && type ? { branch: given.branch, account: given.account, type } : null
}

/** Exactly one address, which ends no header. */
const ONE_ADDRESS = /^[^\s<>(),;:"[\]\\@]+@[^\s<>(),;:"[\]\\@]+$/
/** A number as people dial it: digits, with the marks between them. */
const DIALLED = /^[+(]?\d[\d ().-]{1,27}\d$/

function contactFaults(given: Contact | undefined): FieldError[] {
  const { email = '', phone = '' } = given ?? {}
  const isAddress = email === '' || (email.length <= 255 && ONE_ADDRESS.test(email))
  return [
    ...(isAddress ? [] : [fault('#/contact/email', 'FORMAT', 'must be one e-mail address')]),
    ...(phone === '' || DIALLED.test(phone)
      ? []
      : [fault('#/contact/phone', 'FORMAT', 'must be a phone number of 3 to 30 characters')]),
  ]
}

/** Null for one that names neither. */
function contactOf(given: Contact | undefined): Contact | null {
  return given && (given.email !== '' || given.phone !== '')
    ? { email: given.email, phone: given.phone }
    : null
}

function within(value: number, least: number, most: number, pointer: string): FieldError[] {
  const isWithin = Number.isInteger(value) && value >= least && value <= most
  return isWithin ? [] : [fault(pointer, 'RANGE', `must be from ${least} to ${most}`)]
}
