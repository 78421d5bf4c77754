import { z } from 'zod'
import type { FieldError } from '@cofre/platform/errors'
import { mergeFaults, refuseFaults } from '../../src/http/faults'
import { misplacedCards } from '../../src/http/misplaced-cards'
import { unknownFields } from '../../src/http/body/unknown-fields'

const schema = z.object({ daysUntilDue: z.int(), frequency: z.string() })

/** Returns a body of misspelt names, each of which holds a card number. */
const bodyOf = (names: number) =>
  Object.fromEntries(Array.from({ length: names }, (_, n) => [`daysUnti${n}`, '4111111111111111']))

function faultsOf(body: object): FieldError[] {
  return mergeFaults(misplacedCards(body), unknownFields(schema, body))
}

test('eight times as many wrong names take about eight times the work, not sixty-four times', () => {
  const least = (body: object) => {
    const once = () => {
      const from = process.cpuUsage()
      faultsOf(body)
      const { user, system } = process.cpuUsage(from)
      return user + system
    }
    return Math.min(once(), once(), once())
  }
  const [few, many] = [bodyOf(1_000), bodyOf(8_000)]
  least(few)
  // Microseconds of CPU time of this process.
  expect(least(many)).toBeLessThan(24 * Math.max(least(few), 2_000))
})

test('an answer lists twenty faults, and its sentence gives the number of the others', () => {
  const { message, extra } = refuseFaults(faultsOf(bodyOf(30)), 'body')
  expect(extra.errors).toHaveLength(20)
  expect(message).toMatch(/There are \d+ more faults; errors lists the first 20 in all\.$/)
  expect(message).not.toContain('411111')
})
