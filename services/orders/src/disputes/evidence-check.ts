import type { FieldError } from '@cofre/platform/errors'
import type { EvidenceHead } from '@cofre/proto/orders/v1/disputes'
import type { Disputes } from '../acquirer/dispute-cases'
import { fault } from '../charge/order-check'

const NAME_MAX = 255
const MAIL_MAX = 256
const MAIL = /^[^\s@]+@[^\s@]+$/

/** The first bytes of each kind of file. A TIFF has two orders of bytes. */
const BEGINNINGS: Readonly<Record<string, readonly string[]>> = {
  'application/pdf': ['255044462d'],
  'image/jpeg': ['ffd8ff'],
  'image/tiff': ['49492a00', '4d4d002a'],
}

/** True when a file begins as its kind does. No more of it is read. */
export function beginsAs(contentType: string, first: Uint8Array): boolean {
  const bytes = Buffer.from(first).subarray(0, 5).toString('hex')
  return (BEGINNINGS[contentType] ?? []).some((beginning) => bytes.startsWith(beginning))
}

export function headFaults(
  head: EvidenceHead,
  { contentTypes, reasonMax }: Disputes['evidence'],
): FieldError[] {
  const { contentType, fileName, reason, answeredBy } = head
  const isReason = reason.trim() !== '' && reason.length <= reasonMax
  const isNamed = fileName !== '' && fileName.length <= NAME_MAX
  return [
    ...(contentTypes.includes(contentType) ? [] : [kindFault(contentTypes)]),
    ...(isReason ? [] : [fault('#/reason', 'LENGTH', `must have 1 to ${reasonMax} characters`)]),
    ...(isNamed ? [] : [fault('#/file', 'LENGTH', `must have a name of 1 to ${NAME_MAX} characters`)]),
    ...nameFaults(answeredBy),
  ]
}

function kindFault(contentTypes: readonly string[]): FieldError {
  return fault('#/file', 'ENUM', `must be one of: ${contentTypes.join(', ')}`)
}

/** The fault of a file that is no file of its kind. */
export function beginningFault(contentType: string): FieldError {
  return fault('#/file', 'FORMAT', `does not begin as a file of the type ${contentType} does`)
}

export function nameFaults(answeredBy: string): FieldError[] {
  const isMail = MAIL.test(answeredBy) && answeredBy.length <= MAIL_MAX
  return isMail ? [] : [fault('#/answeredBy', 'FORMAT', 'must be an e-mail address')]
}
