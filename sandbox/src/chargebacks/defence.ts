import { z } from 'zod'
import { refused } from './chargeback-refusal'

export const FILE_MAX_BYTES = 8 * 1024 * 1024
const REASON_MAX = 100
const USER_NAME_MAX = 256

const id = z.union([z.string(), z.number()]).transform(String)
const fields = z.object({
  establishmentNumber: id,
  idChargeback: id,
  reasonToRefuse: z.string().min(1),
  userName: z.string().min(1).max(USER_NAME_MAX),
})

export type Defence = z.output<typeof fields> & { file: { name: string | undefined; bytes: Buffer } }

/** Reads a defence: a form with a file, or JSON with the file in base64. Its name is then not known. */
export async function readDefence(body: Buffer, contentType: string): Promise<Defence> {
  const { texts, file } = contentType.startsWith('multipart/form-data')
    ? await readForm(body, contentType)
    : readJson(body)
  const read = fields.safeParse(texts)
  if (!read.success) throw refused('900', 400)
  if (!file) throw refused('904')
  if (read.data.reasonToRefuse.length > REASON_MAX) throw refused('905')
  if (file.bytes.length > FILE_MAX_BYTES || !isDocument(file.bytes)) throw refused('903')
  return { ...read.data, file }
}

async function readForm(body: Buffer, contentType: string) {
  const headers = { 'content-type': contentType }
  const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => {
    throw refused('900', 400)
  })
  const file = form.get('file')
  const texts = Object.fromEntries([...form].filter(([name]) => name !== 'file'))
  if (file === null || typeof file === 'string') return { texts, file: undefined }
  return { texts, file: { name: file.name, bytes: Buffer.from(await file.arrayBuffer()) } }
}

const encoded = z.looseObject({ file: z.array(z.base64()).length(1).optional() })

function readJson(body: Buffer) {
  const read = encoded.safeParse(parsed(body))
  if (!read.success) throw refused('900', 400)
  const { file, ...texts } = read.data
  const bytes = file && Buffer.from(file[0] ?? '', 'base64')
  return { texts, file: bytes && { name: undefined, bytes } }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** PDF, JPEG or TIFF, by the first bytes. */
function isDocument(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 4).toString('latin1')
  return head === '%PDF' || head.startsWith('\xff\xd8\xff') || head === 'II*\0' || head === 'MM\0*'
}
