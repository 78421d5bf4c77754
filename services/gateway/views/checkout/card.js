// What a typed card looks like, and what is wrong with it. No value of it leaves here but sealed.
const BRAND_NAMES = {
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
  AMEX: 'Amex',
  ELO: 'Elo',
  HIPERCARD: 'Hipercard',
  DINERS: 'Diners Club',
  DISCOVER: 'Discover',
  JCB: 'JCB',
}
const GROUPS = { AMEX: [4, 6, 5], DINERS: [4, 6, 4, 2] }

const digitsOf = (text) => text.replace(/\D/g, '')

// With fewer than six digits a brand is shown when they leave no other.
function brandOf(digits, brands) {
  if (digits === '') return undefined
  const from = Number(digits.slice(0, 6).padEnd(6, '0'))
  const to = Number(digits.slice(0, 6).padEnd(6, '9'))
  const meets = ({ ranges }) => ranges.some(([first, last]) => first <= to && last >= from)
  const holds = ({ ranges }) => ranges.some(([first, last]) => first <= from && last >= to)
  const possible = brands.filter(meets)
  if (digits.length >= 6) return possible[0]?.brand
  return possible.find(holds)?.brand
}

function groupedNumber(digits, brand) {
  const sizes = GROUPS[brand] ?? [4, 4, 4, 4, 3]
  const groups = []
  let at = 0
  for (const size of sizes) {
    if (at >= digits.length) break
    groups.push(digits.slice(at, at + size))
    at += size
  }
  return groups.join(' ')
}

function passesLuhn(digits) {
  const doubled = [...digits].reverse().map((digit, at) => Number(digit) * (1 + (at % 2)))
  const sum = doubled.reduce((total, each) => total + (each > 9 ? each - 9 : each), 0)
  return sum % 10 === 0
}

// "08/30", "8/30", "08/2030"; undefined for what is none.
function expirationOf(text) {
  const [, month, year] = /^\s*(\d{1,2})\s*\/\s*(?:20)?(\d{2})\s*$/.exec(text) ?? []
  if (month === undefined || Number(month) < 1 || Number(month) > 12) return undefined
  return { year: 2000 + Number(year), month: Number(month) }
}

// A card is good through the last day of its month.
function isOver({ year, month }) {
  const now = new Date()
  return year < now.getFullYear() || (year === now.getFullYear() && month < now.getMonth() + 1)
}

// The name of what is to be said of each field; undefined: nothing.
const CHECKS = {
  number: (text) => {
    const digits = digitsOf(text)
    return digits.length >= 12 && digits.length <= 19 && passesLuhn(digits) ? undefined : 'number'
  },
  expiry: (text) => {
    const expiration = expirationOf(text)
    if (!expiration) return 'expiry'
    return isOver(expiration) ? 'expired' : undefined
  },
  cvv: (text, brand) => (digitsOf(text).length === (brand === 'AMEX' ? 4 : 3) ? undefined : 'cvv'),
  holder: (text) => (text.trim() === '' ? 'holder' : undefined),
}
