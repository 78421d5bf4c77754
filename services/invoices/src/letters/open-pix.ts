import type { CalendarDay } from '@cofre/platform/calendar-day'

/** A Pix charge that can be paid now: the text behind its QR code, and the last day. */
export type OpenPix = { copyAndPaste: string; payableUntil: CalendarDay }

/** Finds the Pix charge of an invoice. Undefined: there is none by which it can be paid now. */
export type PixOf = (invoiceId: number) => Promise<OpenPix | undefined>
