import { randomHex } from '@cofre/platform/random-hex'
import { invalidCall } from './partner-body'
import type { FilesSetting } from './partners'

/** A file on its way to a partner: its bytes as they come, and the other fields of the call. */
export type OutgoingFile = {
  fields: Readonly<Record<string, string | number | boolean>>
  name: string
  contentType: string
  chunks: AsyncIterable<Uint8Array>
}

/** A call's body that nobody holds whole. Its last piece never holds a part of the file. */
type FileBody = { contentType: string; pieces: AsyncIterable<Uint8Array> }

const NAME = /^[\w.-]{1,100}$/
const MEDIA_TYPE = /^[a-z]+\/[a-z0-9.+-]{1,100}$/

/** Returns the body that carries a file, in the partner's encoding. Throws for a head that neither encoding can carry. */
export function fileBody(
  { field, encoding }: Pick<FilesSetting, 'field' | 'encoding'>,
  file: OutgoingFile,
): FileBody {
  const areGood = Object.keys(file.fields).every((name) => NAME.test(name) && name !== field)
  if (!areGood || !NAME.test(file.name) || !MEDIA_TYPE.test(file.contentType)) throw invalidCall()
  return encoding === 'multipart' ? multipart(field, file) : base64(field, file)
}

/** RFC 7578. */
function multipart(field: string, { fields, name, contentType, chunks }: OutgoingFile): FileBody {
  const boundary = `cofre-${randomHex(16)}`
  const partOf = (disposition: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`
  const texts = Object.entries(fields).map(([key, value]) => `${partOf(`name="${key}"`)}\r\n${value}\r\n`)
  const head = `${texts.join('')}${partOf(`name="${field}"; filename="${name}"`)}content-type: ${contentType}\r\n\r\n`
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    pieces: around(head, chunks, `\r\n--${boundary}--\r\n`),
  }
}

/** JSON whose member `field` is an array with the file in base64. */
function base64(field: string, { fields, chunks }: OutgoingFile): FileBody {
  const rest = JSON.stringify({ ...fields, [field]: [''] })
  return { contentType: 'application/json', pieces: around(rest.slice(0, -3), inBase64(chunks), '"]}') }
}

async function* around(
  head: string,
  middle: AsyncIterable<Uint8Array>,
  tail: string,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(head)
  yield* middle
  yield Buffer.from(tail)
}

/** Three bytes are four characters: what is over waits for the next chunk. */
async function* inBase64(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let over = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([over, chunk])
    const whole = bytes.length - (bytes.length % 3)
    over = bytes.subarray(whole)
    if (whole > 0) yield Buffer.from(bytes.toString('base64', 0, whole))
  }
  if (over.length > 0) yield Buffer.from(over.toString('base64'))
}
