import { z } from 'zod'

const DAYS_MAX = 20

/** Up to 20 days: ascending whole numbers, separated by commas: `1,3,5,7`. Empty: none. */
export function daysSetting(usual: string, { from, to }: { from: number; to: number }) {
  return z
    .string()
    .default(usual)
    .transform((text, context): number[] => {
      const words = text.trim() === '' ? [] : text.split(',').map((word) => word.trim())
      const days = words.map(Number)
      const isDay = (day: number, place: number) =>
        /^-?\d{1,3}$/.test(words[place] ?? '') && day >= from && day <= to
      const grows = days.every((day, place) => place === 0 || day > (days[place - 1] ?? day))
      if (days.length <= DAYS_MAX && days.every(isDay) && grows) return days
      const message = `must be up to ${DAYS_MAX} whole numbers from ${from} to ${to}, each greater than the one before, with commas between`
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })
}
