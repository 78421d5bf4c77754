import { dayOf, startOf } from '@cofre/platform/calendar-day'
import type { Word } from './portuguese'

export type Mood = 'good' | 'waiting' | 'bad' | 'quiet'

/** A word for people, and the mood that colours it. */
export type Badge = { text: Word; mood: Mood }

/**
 * What a page shows at one place, before it is written in the reader's language. Text is the seller's or a payer's own;
 * `word` is ours and is translated. `reais`: cents. Times are epoch milliseconds; a `day` may be YYYY-MM-DD. `to`: a
 * path within the portal. `whole`: a text that no line breaks. A list is joined by commas.
 */
export type Value =
  | string
  | number
  | null
  | { word: Word; with?: Readonly<Record<string, Value>> }
  | { reais: number }
  | { time: number }
  | { exactTime: number }
  | { day: number | string }
  | { badge: Badge }
  | { whole: string }
  | { to: string; text: Value }
  | { address: string; text?: Value }
  | readonly Value[]

export const word = (text: Word, values?: Readonly<Record<string, Value>>): Value =>
  values ? { word: text, with: values } : { word: text }
export const reais = (cents: number): Value => ({ reais: cents })
export const time = (at: number | null): Value => (at === null ? null : { time: at })
export const day = (at: number | string | null): Value => (at === null ? null : { day: at })
export const link = (to: string, text: Value): Value => ({ to, text })

/** A number or an id, which no line breaks. */
const whole = (text: string): Value => ({ whole: text })

/** A CPF or CNPJ as people write it. What is neither stays as it is. */
export const taxNumber = (text: string | null): Value =>
  text === null
    ? null
    : whole(
        text
          .replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4')
          .replace(/^(\w{2})(\w{3})(\w{3})(\w{4})(\d{2})$/, '$1.$2.$3/$4-$5'),
      )

/** When money moved: a day where nobody said at what time. */
export const moment = (at: number): Value => (startOf(dayOf(at)) === at ? { day: at } : { time: at })

/** An amount that is left out where it is zero. */
export const reaisIfAny = (cents: number): Value => (cents > 0 ? reais(cents) : null)
