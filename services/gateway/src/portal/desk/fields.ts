import { isDay, momentOf, startOf } from '@cofre/platform/calendar-day'
import type { Request } from 'express'
import type { Upload } from '../../http/body/upload'
import { choices, field, line } from '../../pages/form'
import type { Word } from '../words/portuguese'
import { reais, type Value } from '../words/value'

/**
 * A field of a form, by the name of a member of the API's body. `money`: reais. `day`: sent as its first moment in São
 * Paulo. `percent`: hundredths of a percent. `moment`: a day and a time there. `number`: a whole number. `check`: true or
 * false. `choices`: a list of the ticked options. `phone`: digits, however they are divided. `hidden`: a whole number that
 * goes with the form. `password`: the reader's own, which the API never gets.
 */
export type Field = {
  name: string
  label: Word
  kind:
    | 'text'
    | 'long'
    | 'money'
    | 'percent'
    | 'day'
    | 'moment'
    | 'number'
    | 'hidden'
    | 'phone'
    | 'choice'
    | 'choices'
    | 'check'
    | 'file'
    | 'password'
  hint?: Value
  /** As typed, before anybody types. Choices are divided by spaces. */
  value?: string
  required?: true
  /** Fields of one number stand in one line. */
  row?: number
  /** The most money that it takes, cents. */
  most?: number
  /** A day that has begun. */
  isPast?: true
  /** `own`: a text of the seller's. */
  options?: readonly (readonly [value: string, text: Word | { own: string }])[]
  /** Of a file: the types that may be sent. */
  accepts?: readonly string[]
}

export type Typed = {
  body: Record<string, unknown>
  values: Record<string, string>
  faults: Record<string, Fault>
  /** The fields by name, where a form has any of these. */
  fields?: Readonly<Record<string, Field>>
}

/** What is wrong with a field. */
export type Fault = Word | { word: Word; with: Readonly<Record<string, Value>> }

/** Reads a form: the body for the API, what was typed, and what is no value of its kind. */
export function readFields(req: Request, fields: readonly Field[]): Typed {
  const byName = Object.fromEntries(fields.map((each) => [each.name, each]))
  const typed: Typed = { body: {}, values: {}, faults: {}, fields: byName }
  for (const { name, kind, required, most, accepts = [] } of fields) {
    if (kind === 'file') {
      const { [name]: file } = req.body as Upload
      typed.values[name] = ''
      // A browser sends a field without a file as a file without a name.
      if (typeof file !== 'object' || file.fileName === name) typed.faults[name] = 'Choose a file.'
      else if (!accepts.includes(file.contentType)) typed.faults[name] = 'Send a PDF, a JPEG or a TIFF.'
      else typed.body[name] = file
      continue
    }
    if (kind === 'password') continue
    if (kind === 'choices') {
      const ticked = choices(req, name)
      typed.values[name] = ticked.join(' ')
      typed.body[name] = ticked
      continue
    }
    const text = kind === 'long' ? field(req, name).replaceAll('\r\n', '\n').trim() : line(req, name)
    readText(typed, { name, kind, required, most }, text)
  }
  return typed
}

/** Reads what stands in a form before anybody types. */
export function readShown(fields: readonly Field[]): Typed {
  const typed: Typed = { body: {}, values: {}, faults: {} }
  for (const { name, kind, value = '' } of fields) readText(typed, { name, kind }, value)
  return typed
}

type Named = Pick<Field, 'name' | 'kind'> & { required?: true | undefined; most?: number | undefined }

function readText(typed: Typed, { name, kind, required, most }: Named, text: string): void {
  typed.values[name] = text
  if (kind === 'check') typed.body[name] = text === 'true'
  else if (text === '' && required) typed.faults[name] = 'Fill this in.'
  else if (text !== '') {
    const value = READERS[kind]?.(text) ?? (READERS[kind] ? undefined : text)
    if (value === undefined) typed.faults[name] = FAULTS[kind] ?? 'Enter a valid value.'
    else if (most !== undefined && Number(value) > most)
      typed.faults[name] = { word: 'At most {sum}.', with: { sum: reais(most) } }
    else typed.body[name] = value
  }
}

const READERS: Partial<Record<Field['kind'], (text: string) => number | undefined>> = {
  money: centsOf,
  percent: (text) => centsOf(text.replace(/\s*%$/, '')),
  day: (text) => (isDay(text) ? startOf(text) : undefined),
  moment: (text) => (momentOf(text) >= 0 ? momentOf(text) : undefined),
  phone: (text) =>
    /^[\d\s().-]{1,20}$/.test(text) ? Number(text.replaceAll(/\D/g, '')) || undefined : undefined,
  hidden: wholeNumber,
  number: wholeNumber,
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

const FAULTS: Partial<Record<Field['kind'], Word>> = {
  money: 'Enter an amount in reais, like 1.234,56.',
  percent: 'Enter a percentage, like 2 or 1,5.',
  day: 'Enter a date.',
  moment: 'Enter a date and a time.',
  phone: 'Enter digits.',
  number: 'Enter a whole number.',
}

/** Returns the cents of an amount as people write it: 1.234,56, 1234,5, R$ 12 or 1234.56; undefined for any other. */
export function centsOf(text: string): number | undefined {
  const given = text.replace(/^R\$\s*/i, '').replaceAll(/\s/g, '')
  const brazilian = /^(\d{1,3}(?:\.\d{3})+|\d{1,9})(?:,(\d{1,2}))?$/.exec(given)
  const [, whole, cents = ''] = brazilian ?? /^(\d{1,9})\.(\d{1,2})$/.exec(given) ?? []
  if (whole === undefined) return undefined
  return Number(whole.replaceAll('.', '')) * 100 + Number(cents.padEnd(2, '0'))
}

/** Returns cents as a person would type them: 1234,56. */
export function typedReais(cents: number): string {
  return (cents / 100).toFixed(2).replace('.', ',')
}
