import type { CalendarDay } from '@cofre/platform/calendar-day'

/** An invoice of a booklet that is to be paid, cents. `publicId` names its page. */
export type BookletPart = { number: string; dueDay: CalendarDay; amount: number; publicId: string }

/** What the letter of a booklet carries. `pdf`: the slips that can be paid, the first `slips` of them. */
export type BookletPaper = { parts: readonly BookletPart[]; slips: number; pdf: Buffer | undefined }

/** Finds what is to be paid of a booklet, in the order of its cycles. */
export type BookletOf = (booklet: { sellerId: number; id: number }) => Promise<BookletPaper>
