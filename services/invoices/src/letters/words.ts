import type { Language } from '@cofre/platform/written'
import type { CalendarDay } from '@cofre/platform/calendar-day'

import type { Contact } from '../catalog/settings/billing-settings-store'
import type { DeclineReason } from './decline-reason'
import type { MovementMethod } from '../invoice/rules/movement'
import type { PaidWay } from '../invoice/store/paid-ways-store'

/** When an invoice is due, as seen from the day on which its letter leaves. */
export type Dueness = 'before' | 'today' | 'grace' | 'late'

/** The facts of an invoice in a letter: its number, its due day, and the last day without a fine or interest. */
export type Of = { number: string; due: string; lastDay: string }

/**
 * The card that was declined, the one that is charged next, and on which day. Undefined: not known; without a day it is
 * being charged.
 */
export type Tried = { card: string | undefined; next: string | undefined; on: string | undefined }

/** All texts of letters in one language. */
export type Words = {
  language: Language
  /** Cents of BRL. */
  money(cents: number): string
  day(day: CalendarDay): string
  greeting(name: string): string
  issued: { subject(of: Of, from: string): string; title: string; sentence(of: Of, from: string): string }
  reminder: Record<
    Dueness,
    { subject(of: Of, from: string): string; title: string; sentence(of: Of, from: string): string }
  >
  declined: {
    subject(of: Of, from: string): string
    title: string
    sentence(of: Of, from: string, tried: Tried): string
  }
  retry: {
    subject(of: Of, from: string): string
    title: string
    sentence(of: Of, from: string, tried: Tried): string
  }
  /** `on`: the last day of a late invoice that costs neither fine nor interest. */
  free(on: string): string
  /** Why a card was not charged, so that it neither shames nor betrays the issuer. */
  whyDeclined: Record<DeclineReason, string>
  notCollected: {
    subject(of: Of, from: string): string
    title: string
    sentence(of: Of, from: string): string
  }
  receipt: {
    subject(of: Of, from: string): string
    title: string
    sentence(of: Of, from: string, paidOn: string): string
  }
  givenBack: {
    subject(of: Of, from: string): string
    title: string
    /** The invoice was paid in another way, or could take no payment. */
    paidOtherwise(of: Of, from: string): string
    notTaken(of: Of, from: string): string
    /** When a refund shows on the statement of the card. */
    shows: string
  }
  refunded: {
    subject(of: Of, from: string, amount: string): string
    title: string
    /** All that was paid, or a part of it. */
    whole(of: Of, from: string, on: string): string
    part(of: Of, from: string, on: string): string
    /** How the money comes back. */
    comes: Record<MovementMethod, string>
  }
  booklet: {
    /** `due`: when the first of them is due. */
    subject(all: { count: number; due: string }, from: string): string
    title: string
    sentence(all: { count: number; due: string }, from: string): string
    part(number: string, due: string): string
    /** The note that the slips are attached, and where those are that are not. */
    attached: string
    others: string
    pay: string
  }
  voided: {
    subject(of: Of, from: string): string
    title: string
    sentence(of: Of, from: string): string
    note: string
  }
  /** The seller within a sentence; empty when the letter names no seller. */
  from(sellerName: string): string
  labels: {
    invoice: string
    dueDate: string
    boletoLine: string
    paidOn: string
    paidBy: string
    items: string
    invoices: string
    booklet: string
    subtotal: string
    fine: string
    interest: string
    lateCharges: string
    refunded: string
    givenBack: string
    voided: string
    toPay: string
    /** To be paid after a part was. */
    left: string
    alreadyPaid: string
    writtenOff: string
    paid: string
    pay: string
    manage: string
  }
  /** How to pay by Pix. `picture`: what the QR code is to who cannot see it. */
  pix: { title: string; howTo(lastDay: string): string; label: string; picture: string }
  /** How money came. */
  paidBy(way: PaidWay): string
  discount(lastDay: string): string
  more(count: number): string
  orOpen: string
  /** The note that money came of which the seller has not decided yet. */
  waits(amount: string): string
  /** The note that the boleto is attached. */
  attached: string
  /** The note that interest increases every day. */
  grows: string
  /** Whom the payer asks: an e-mail address, a phone number, or both. */
  questions(contact: Contact): string
  why(sellerName: string): string
  doubt(sellerName: string): string
}
