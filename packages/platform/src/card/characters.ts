/*
 * The classes of characters. A digit's class is its value, 0 to 9. Those from BLANK up to UNSEEN are separators, each
 * kind with a class of its own; those from FIRST_OF_LISTS on also stand between the entries of a list.
 */
export const BLANK = 10
export const FIRST_OF_LISTS = 20
export const UNSEEN = 24
export const OTHER = 25
/** A character that stands for several, with digits among them: `⑯`. */
export const SEVERAL = 26

/** The separators, in the order of their classes, from BLANK on. */
const SEPARATORS = [
  /[\s\p{Z}\u2800]/u,
  /[\p{Pd}\u2212]/u,
  /[.·•‧∙⋅]/u,
  /\//,
  /\\/,
  /\|/,
  /\*/,
  /\+/,
  /~/,
  /_/,
  /,/,
  /:/,
  /;/,
  /[()[\]{}<>"']/,
]

/** Marks on other characters (an emoji's keycap is one), joiners, fillers and what else has no width. */
const NOT_SEEN = /[\p{Cf}\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}]/u
/** No letter and no unassigned character is a digit or a separator in disguise. */
const NO_DIGIT = /[\p{L}\p{Cn}\p{Co}\p{Cs}]/u

/** Each class plus one, by code point; 0 where it is not known yet. */
const known = new Uint8Array(0x110000)
const several = new Map<number, readonly number[]>()

/** The class of a character as a person reads it: in NFKC, whatever its script. */
export function classOf(code: number): number {
  // Stryker disable next-line LogicalOperator: a class that is not remembered is found again
  const found = known[code] ?? 0
  // Stryker disable next-line ConditionalExpression: a class that is not remembered is found again
  if (found > 0) return found - 1
  const read = classify(String.fromCodePoint(code), code)
  known[code] = read + 1
  return read
}

/** The classes of what a character of the class SEVERAL stands for. */
export function classesOf(code: number): readonly number[] {
  return several.get(code) ?? []
}

function classify(character: string, code: number): number {
  if (NOT_SEEN.test(character)) return UNSEEN
  if (NO_DIGIT.test(character)) return OTHER
  const [first = OTHER, ...others] = Array.from(character.normalize('NFKC'), classOfOne)
  const hasDigit = [first, ...others].some((each) => each < BLANK)
  if (!hasDigit || others.length === 0) return others.every((each) => each === first) ? first : OTHER
  several.set(code, [first, ...others])
  return SEVERAL
}

function classOfOne(character: string): number {
  if (/\p{Nd}/u.test(character)) return valueOf(character.codePointAt(0) ?? 0)
  const kind = SEPARATORS.findIndex((each) => each.test(character))
  return kind === -1 ? OTHER : BLANK + kind
}

/** The value of a digit. The ten digits of a script are consecutive, and two scripts may adjoin. */
function valueOf(code: number): number {
  let behind = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - behind - 1))) behind += 1
  return behind % 10
}
