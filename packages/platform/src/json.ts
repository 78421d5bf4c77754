const MAX_DEPTH = 32
const MAX_VALUES = 10_000

/** True when a parsed JSON value may be walked: at most 32 levels deep, 10,000 values in all. */
export function isBounded(value: unknown): boolean {
  let values = 0
  const fits = (each: unknown, depth: number): boolean => {
    values += 1
    if (depth > MAX_DEPTH || values > MAX_VALUES) return false
    return typeof each !== 'object' || each === null || Object.values(each).every((it) => fits(it, depth + 1))
  }
  return fits(value, 1)
}

/** The pointer of a member or element of the value at `pointer` (RFC 6901). */
export function pointerTo(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Returns a pointer cut before the first segment that may be a value in disguise (a card number, a long text). */
export function safePointer(pointer: string): string {
  const segments = pointer.split('/')
  const unsafe = segments.findIndex(
    (segment) => !/^[\w#.~ -]{1,40}$/.test(segment) || /\d{6}|(\d\D*){12}/.test(segment),
  )
  return unsafe === -1 ? pointer : segments.slice(0, unsafe).join('/') || '#'
}

/** The same text for the same JSON value, whatever the order of its members. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([name, held]) => `${JSON.stringify(name)}:${canonicalJson(held)}`).join(',')}}`
}
