import { ourNumberOf } from '../../src/boletos/rules/our-number'

export type Slip = { dueDay: string; amount: number; ourNumber: string }

const DAY_MS = 86_400_000

/** Slips of any kind, half of them due around the day on which the factor restarts. Every run has the same slips. */
export function* randomSlips(count: number): Generator<Slip> {
  let state = 20_250_222n
  const random = (below: number) => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n
    return Number((state >> 11n) % BigInt(below))
  }
  for (let at = 0; at < count; at += 1) {
    const days = at % 2 === 0 ? random(20_000) : 8_990 + random(40)
    yield {
      dueDay: new Date(Date.UTC(2000, 6, 3) + days * DAY_MS).toISOString().slice(0, 10),
      amount: 1 + random(10 ** (1 + random(10)) - 1),
      ourNumber: ourNumberOf(String(1_000_000 + random(9_000_000)), 1 + random(9_999_999_999)),
    }
  }
}

/** The factors, counted day by day as in the manual: 1000 follows 9999. */
const FACTORS = new Map<string, number>()
for (let day = Date.UTC(2000, 6, 3), factor = 1_000; FACTORS.size < 30_000; day += DAY_MS) {
  FACTORS.set(new Date(day).toISOString().slice(0, 10), factor)
  factor = factor === 9_999 ? 1_000 : factor + 1
}

/** The 44 digits, calculated with big integers and a table of weights, as a calculator would. */
export function oracleBarcode({ dueDay, amount, ourNumber }: Slip): string {
  const factor = FACTORS.get(dueDay)
  const digits = BigInt(`${factor}${String(amount).padStart(10, '0')}000000${ourNumber}17`)
  const whole = `0019${digits.toString().padStart(39, '0')}`
  const WEIGHTS = '4329876543298765432987654329876543298765432'
  let sum = 0
  for (let at = 0; at < 43; at += 1) sum += Number(whole[at]) * Number(WEIGHTS[at])
  const remainder = sum % 11
  const digit = remainder === 0 || remainder === 1 || remainder === 10 ? 1 : 11 - remainder
  return `${whole.slice(0, 4)}${digit}${whole.slice(4)}`
}

/** The 47 digits. A table replaces products: it holds the digit sum of twice each digit. */
export function oracleLine(barcode: string): string {
  const TWICE = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]
  const withDigit = (field: string) => {
    let sum = 0
    let double = true
    for (let at = field.length - 1; at >= 0; at -= 1, double = !double) {
      const digit = Number(field[at])
      sum += double ? (TWICE[digit] ?? 0) : digit
    }
    return field + String((Math.ceil(sum / 10) * 10 - sum) % 10)
  }
  const free = barcode.substring(19)
  const first = withDigit(barcode.substring(0, 4) + free.substring(0, 5))
  return first + withDigit(free.substring(5, 15)) + withDigit(free.substring(15)) + barcode.substring(4, 19)
}
