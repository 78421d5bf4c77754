import type { Language } from '@cofre/platform/written'
import type { CalendarDay } from '../invoice/calendar-day'

/** When an invoice is due, as seen from the day on which its letter leaves. */
export type Dueness = 'before' | 'today' | 'grace' | 'late'

/** The facts of an invoice in a letter: its number, its due day, and the last day without a fine or interest. */
export type Of = { number: string; due: string; lastDay: string }

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
  declined: { subject(of: Of, from: string): string; title: string; sentence(of: Of, from: string): string }
  receipt: { subject(of: Of, from: string): string; title: string; sentence(of: Of, paidOn: string): string }
  /** The seller within a sentence; empty when the letter names no seller. */
  from(sellerName: string): string
  labels: {
    invoice: string
    dueDate: string
    paidOn: string
    items: string
    subtotal: string
    fine: string
    interest: string
    lateCharges: string
    refunded: string
    toPay: string
    paid: string
    pay: string
  }
  more(count: number): string
  orOpen: string
  /** The note that interest increases every day. */
  grows: string
  why(sellerName: string): string
  doubt: string
}
