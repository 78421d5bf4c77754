import type { Partner } from '@cofre/platform/outbound/partner-call'
import { Outcome, type ForwardFileRequest, type ForwardResponse } from '@cofre/proto/vault/v1/vault'
import { NO_ACCOUNT, noEstablishment } from './accounts'
import { noAnswer } from './forward'

const BOUNDARY = 'a-small-vault'

/** Sends a file to a partner as multipart/form-data, once it is there whole. */
export async function forwardFile(
  partner: Partner,
  messages: AsyncIterable<ForwardFileRequest>,
): Promise<ForwardResponse> {
  const chunks: Buffer[] = []
  let head: ForwardFileRequest['head']
  let size: number | undefined
  for await (const message of messages) {
    head ??= message.head
    size = message.size
    if (message.chunk) chunks.push(Buffer.from(message.chunk))
  }
  if (!head) throw new Error('a file without its head')
  if (head.account === NO_ACCOUNT) throw noEstablishment()
  const file = Buffer.concat(chunks)
  if (size !== file.length) return noAnswer({ outcome: 'not_sent', reason: 'the file was cut off' })
  const { method, path, account, fileName, contentType, timeoutMs } = head
  const fields = Object.entries(JSON.parse(Buffer.from(head.fields).toString()) as Record<string, unknown>)
  const parts = fields.map(([name, value]) => part(`name="${name}"`, '', Buffer.from(String(value))))
  const ofFile = part(`name="file"; filename="${fileName}"`, `Content-Type: ${contentType}\r\n`, file)
  const called = await partner.call({
    method: method as 'PUT',
    path,
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, merchantid: account },
    body: Buffer.concat([...parts, ofFile, Buffer.from(`--${BOUNDARY}--\r\n`)]),
    timeoutMs,
  })
  if (called.outcome !== 'answered') return noAnswer(called)
  const kept = { handle: '', numberKept: false, grantKept: false }
  return { outcome: Outcome.ANSWERED, reason: '', answer: called.answer, ...kept }
}

function part(name: string, header: string, body: Buffer): Buffer {
  const start = `--${BOUNDARY}\r\nContent-Disposition: form-data; ${name}\r\n${header}\r\n`
  return Buffer.concat([Buffer.from(start), body, Buffer.from('\r\n')])
}
