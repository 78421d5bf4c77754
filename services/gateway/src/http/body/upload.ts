import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { DomainError } from '@cofre/platform/errors'
import busboy, { type Busboy } from 'busboy'
import { awaitsContinue } from './expectation'
import { lengthOf, MAX_BODY_BYTES } from '../read-body'

/** A file as it comes. `chunks`: read once; fails when the file is too large or breaks off. */
export type UploadedFile = { fileName: string; contentType: string; chunks: AsyncIterable<Buffer> }
/** A form with one file, up to the file: its text fields come first. */
export type Upload = Record<string, string | UploadedFile>

const FIELDS_MAX = 20
const FIELD_BYTES_MAX = 4 * 1024
/** Boundaries, headers and fields beside the file. */
const AROUND_BYTES = 64 * 1024
/** A file that is too large is read up to here, so that a client that finished sending gets the answer. */
const DRAINED_BYTES = 16 * 1024 * 1024
/** The bytes of a piece: few rows for a file, and little memory. */
const PIECE_BYTES = 64 * 1024
const LATE = 'The file must be the last field: the text fields come before it.'

/**
 * Reads a form in multipart/form-data until its file `named` begins; the caller reads the file. Throws
 * UNSUPPORTED_MEDIA_TYPE, MALFORMED_REQUEST, BODY_TOO_LARGE. A form without the file is returned without it.
 */
export async function readUpload(
  req: IncomingMessage,
  res: ServerResponse,
  { named, maxBytes }: { named: string; maxBytes: number },
): Promise<Upload> {
  if (lengthOf(req) > maxBytes + AROUND_BYTES && awaitsContinue(req)) throw tooLarge(maxBytes)
  const parser = parserFor(req)
  // The server has let smaller bodies come by itself.
  if (awaitsContinue(req) && lengthOf(req) > MAX_BODY_BYTES) res.writeContinue()
  const fields: Record<string, string> = {}
  const { promise, resolve, reject } = withResolvers<Upload>()
  const late: { fault?: DomainError } = {}
  const ended = pipeline(req, parser, { end: true })
  // Whatever refuses the form: the client may still send the rest, and then reads the answer.
  res.once('finish', () => {
    req.unpipe(parser)
    req.resume()
  })
  parser.on('field', (name, value, { valueTruncated, nameTruncated }) => {
    if (valueTruncated || nameTruncated)
      reject(malformedForm(`A text field has more than ${FIELD_BYTES_MAX} bytes.`))
    if (Object.hasOwn(fields, name)) reject(malformedForm('A field of the form stands twice.'))
    late.fault = malformedForm(LATE)
    fields[name] = value
  })
  parser.on('file', (name, file, { filename, mimeType }) => {
    file.on('error', () => {})
    if (name !== named) {
      file.resume()
      return reject(malformedForm(`The file must be in the field "${named}".`))
    }
    delete late.fault
    const chunks = piecesOf(file, { maxBytes, ended, late })
    resolve({
      ...fields,
      [name]: { fileName: filename || named, contentType: mimeType.toLowerCase(), chunks },
    })
  })
  parser.once('filesLimit', () => (late.fault = malformedForm('The form has more than one file.')))
  for (const limit of ['partsLimit', 'fieldsLimit'] as const)
    parser.once(limit, () => (late.fault = malformedForm('The form has too many fields.')))
  ended.then(
    () => resolve(fields),
    (error: Error) => reject(malformedForm(`The form cannot be read: ${error.message}.`)),
  )
  return promise
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<T>((...both) => ([resolve, reject] = both))
  return { promise, resolve, reject }
}

function parserFor({ headers }: IncomingMessage): Busboy {
  const type = headers['content-type'] ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    const message = 'This operation takes a form: send "Content-Type: multipart/form-data" with its boundary.'
    throw new DomainError('invalid_argument', 'UNSUPPORTED_MEDIA_TYPE', message)
  }
  try {
    const limits = {
      fields: FIELDS_MAX,
      files: 1,
      fieldSize: FIELD_BYTES_MAX,
      fieldNameSize: 100,
      headerPairs: 20,
    }
    return busboy({ headers: { 'content-type': type }, limits, defParamCharset: 'utf8' })
  } catch {
    throw malformedForm('The Content-Type of the form names no boundary.')
  }
}

type Reading = { maxBytes: number; ended: Promise<void>; late: { fault?: DomainError } }

/** The file in pieces of one size. What follows the file is a fault. */
async function* piecesOf(file: Readable, { maxBytes, ended, late }: Reading): AsyncGenerator<Buffer> {
  let size = 0
  let held: Buffer[] = []
  let heldSize = 0
  try {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > DRAINED_BYTES) break
      if (size > maxBytes) continue
      held.push(chunk)
      heldSize += chunk.length
      for (; heldSize >= PIECE_BYTES; heldSize -= PIECE_BYTES) {
        const whole = Buffer.concat(held)
        held = [whole.subarray(PIECE_BYTES)]
        yield whole.subarray(0, PIECE_BYTES)
      }
    }
    if (size > maxBytes) throw tooLarge(maxBytes)
    if (heldSize > 0) yield Buffer.concat(held)
    await ended
    if (late.fault) throw late.fault
  } catch (error) {
    throw error instanceof DomainError ? error : malformedForm('The form broke off before its end.')
  }
}

function tooLarge(maxBytes: number): DomainError {
  const message = `The file is too large: at most ${maxBytes} bytes are accepted.`
  return new DomainError('invalid_argument', 'BODY_TOO_LARGE', message)
}

function malformedForm(message: string): DomainError {
  return new DomainError('invalid_argument', 'MALFORMED_REQUEST', message)
}
