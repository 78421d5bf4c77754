import type { Canary } from './canaries'

/** A leak, with the text around it, never the whole text of its place. */
export type Leak = { place: string; kind: 'number' | 'cvv' | 'document'; around: string }

/** This many digits of a number in a row are a leak; the first six and the last four may be shown. */
const WINDOW = 12
/** How many base64 letters hold as many digits. */
const WINDOW_BASE64 = (WINDOW / 3) * 4
const AROUND = 60
const MOST_FOUND = 20
/** What may be a CVV. The last four digits of a number, named so, may be shown: those of a network token may begin with 0. */
const CVV = /(?<![\w.-]|last_?four\W{1,6})0\d{3}(?![\w.-])/gi

/** Returns a search for canaries: as digits, grouped or in part; the same as hexadecimal; in base64 at any offset. */
export function createSearch(canaries: readonly Canary[]) {
  const windows = new Set(canaries.flatMap(({ number }) => windowsOf(number, WINDOW)))
  const documents = new Set(canaries.map(({ document }) => document))
  const cvvs = new Set(canaries.map(({ cvv }) => cvv))
  const encoded = new Set(
    canaries.flatMap(({ number }) =>
      base64Of(number).flatMap((letters) => windowsOf(letters, WINDOW_BASE64)),
    ),
  )

  const inDigits = (place: string, text: string): Leak[] =>
    [...text.matchAll(/\d(?:[^0-9A-Za-z,:]{0,3}\d){10,}/g)].flatMap((match): Leak[] => {
      const digits = match[0].replaceAll(/\D/g, '')
      const around = aroundOf(text, match.index, match[0].length)
      return [
        ...(windowsOf(digits, WINDOW).some((part) => windows.has(part))
          ? [{ place, kind: 'number' as const, around }]
          : []),
        ...(documents.has(digits) ? [{ place, kind: 'document' as const, around }] : []),
      ]
    })
  const inCvvs = (place: string, text: string): Leak[] =>
    [...withoutBase64(text).matchAll(CVV)]
      .filter(([found]) => cvvs.has(found))
      .map((match) => ({ place, kind: 'cvv' as const, around: aroundOf(text, match.index, 4) }))
  const inBase64 = (place: string, text: string): Leak[] =>
    [...text.matchAll(/[A-Za-z0-9]{16,}/g)]
      .filter(([letters]) => windowsOf(letters, WINDOW_BASE64).some((part) => encoded.has(part)))
      .map((match) => ({
        place,
        kind: 'number' as const,
        around: aroundOf(text, match.index, match[0].length),
      }))

  return (place: string, text: string): Leak[] => {
    const texts = [asRead(text), ...writtenAsHex(text)]
    const found = texts.flatMap((each) => [
      ...inDigits(place, each),
      ...inCvvs(place, each),
      ...inBase64(place, each),
    ])
    return found.slice(0, MOST_FOUND)
  }
}

const ZEROS = [0x0660, 0x0966]

/** A text as a person reads it: JSON escapes resolved, no invisible characters, digits of other scripts as ASCII. */
function asRead(text: string): string {
  // oxlint-disable-next-line no-control-regex -- what is not ASCII
  if (!/[^\x00-\x7f]|\\[unrt]/.test(text)) return text
  return text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_escape, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replaceAll(/\\[nrt]/g, ' ')
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Mn}]/gu, '')
    .replaceAll(/[\u0660-\u0669\u0966-\u096f]/g, (digit) => {
      const code = digit.charCodeAt(0)
      return String(code - (ZEROS.find((zero) => code - zero < 10) ?? 0))
    })
}

/** The readable texts in hexadecimal. Others are left out: four random bytes of a key or a hash may look like a CVV. */
function writtenAsHex(text: string): string[] {
  return [...text.matchAll(/(?:[0-9a-f]{2}){12,}/gi)].flatMap(
    ([hex]) =>
      Buffer.from(hex, 'hex')
        .toString('latin1')
        .match(/[ -~]{12,}/g) ?? [],
  )
}

/** Blots out keys, hashes and certificates: within them, too, four letters may look like a CVV. */
function withoutBase64(text: string): string {
  return text.replaceAll(/[A-Za-z0-9+/]{40,}/g, (run) =>
    /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run) ? '_'.repeat(run.length) : run,
  )
}

function windowsOf(text: string, length: number): string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_each, at) =>
    text.slice(at, at + length),
  )
}

/** The base64 letters of a Latin-1 text, for each of its three possible offsets. */
export function base64Of(secret: string): string[] {
  return [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), Buffer.from(secret, 'latin1')])
    const from = Math.ceil((before * 8) / 6)
    return whole.toString('base64').slice(from, Math.floor((whole.length * 8) / 6))
  })
}

function aroundOf(text: string, at: number, length: number): string {
  return text.slice(Math.max(0, at - AROUND), at + length + AROUND)
}
