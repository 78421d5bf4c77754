import { createScanner } from 'jsonc-parser'
import type { FieldError } from './errors'
import { pointerTo, safePointer } from './json'

/** The most faults that are looked for: an answer lists no more. */
const MAX_FAULTS = 20
/** A pointer ends at this depth: JSON.parse may have dropped what stands deeper. */
const MAX_DEPTH = 32
/** Longer than any number that a program writes from one of its own. */
const MAX_NUMBER_LENGTH = 40
/** Every double is read back from this many digits. */
const DIGITS_OF_A_DOUBLE = 17

/** Members of the library's SyntaxKind: a `const enum`, which code that is compiled file by file can't name. */
const TOKENS = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  text: 10,
  number: 11,
  end: 17,
}

/** An object or list that is open: how often each name stood so far, and the current member or element. */
type Level = { names?: Map<string, number>; at: string | number; awaitsName: boolean }

/**
 * Returns what JSON.parse loses of a text that it accepts: a member that stands twice in an object (the last one
 * wins), a number that changes, and the name `__proto__`, which later code would drop. Pointers show no value.
 */
export function lostInParsing(text: string): FieldError[] {
  const scanner = createScanner(text, true)
  const levels: Level[] = []
  const faults = new Map<string, FieldError>()
  const add = (code: string, detail: string) => {
    const path = levels.slice(0, MAX_DEPTH).reduce((pointer, { at }) => pointerTo(pointer, at), '#')
    const pointer = safePointer(path)
    faults.set(`${pointer} ${code}`, { pointer, code, detail })
  }
  const readName = ({ names }: Level, name: string) => {
    const before = names?.get(name) ?? 0
    names?.set(name, before + 1)
    // A body may repeat one name thousands of times: one fault says it.
    if (before === 1) add('DUPLICATE', 'must not be given twice')
    if (before === 0 && name === '__proto__') add('RESERVED', 'is a reserved name')
  }
  for (let token = scanner.scan() as number; token !== TOKENS.end; token = scanner.scan() as number) {
    if (faults.size >= MAX_FAULTS) break
    const level = levels.at(-1)
    if (token === TOKENS.openBrace) levels.push({ names: new Map(), at: '', awaitsName: true })
    else if (token === TOKENS.openBracket) levels.push({ at: 0, awaitsName: false })
    else if (token === TOKENS.closeBrace || token === TOKENS.closeBracket) levels.pop()
    else if (token === TOKENS.comma && level) goOn(level)
    else if (token === TOKENS.text && level?.awaitsName) {
      level.at = scanner.getTokenValue()
      level.awaitsName = false
      readName(level, level.at)
    } else if (token === TOKENS.number && losesDigits(scanner.getTokenValue())) add('PRECISION', TOO_EXACT)
  }
  return [...faults.values()]
}

const SMALL = /^-?\d{1,15}$/

const TOO_EXACT =
  'has more digits than a number keeps: write it as text where text is allowed, or with fewer digits'

function goOn(level: Level): void {
  if (typeof level.at === 'number') level.at += 1
  else level.awaitsName = true
}

/** True for a number that changes when it is read, and for a whole number that others may read as its neighbour. */
function losesDigits(text: string): boolean {
  // Nearly every number is such a one.
  if (SMALL.test(text)) return false
  if (text.length > MAX_NUMBER_LENGTH) return true
  const value = Number(text)
  if (!Number.isFinite(value)) return true
  const written = decimalOf(text)
  const read = decimalOf(String(value))
  const isSame = written.digits === read.digits && written.exponent === read.exponent
  if (Number.isInteger(value)) return !isSame || !Number.isSafeInteger(value)
  return !isSame && written.digits.length > DIGITS_OF_A_DOUBLE
}

/** Returns the digits of a number without zeros at either end, and the power of ten of the last of them. */
function decimalOf(text: string): { digits: string; exponent: number } {
  const [, whole = '', fraction = '', power = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const led = `${whole}${fraction}`.replace(/^0+/, '')
  const digits = led.replace(/0+$/, '')
  if (digits === '') return { digits, exponent: 0 }
  return { digits, exponent: Number(power) - fraction.length + (led.length - digits.length) }
}
