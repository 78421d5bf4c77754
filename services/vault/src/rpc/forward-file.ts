import { DomainError } from '@cofre/platform/errors'
import type { PartnerCall } from '@cofre/platform/outbound/partner-call'
import { databaseNow } from '@cofre/platform/service/database-clock'
import type { ForwardFileHead, ForwardFileRequest, ForwardResponse } from '@cofre/proto/vault/v1/vault'
import { z } from 'zod'
import { parseJson } from '../body/json'
import type { Deps } from '../deps'
import { allowedPartner, timeoutOf } from '../partners/allowed-partner'
import { answerOf, noAnswer, notSent, unlessDatabaseDown } from '../partners/call-outcome'
import { fileBody } from '../partners/file-body'
import { accountOf, secretsOf } from '../partners/filling'
import { callersHeaders, secretHeaders } from '../partners/outgoing-call'
import { invalidCall } from '../partners/partner-body'
import { sendCall } from '../partners/send-call'

/** Calls a partner with a file that passes through piece by piece: nobody here reads it or holds it whole. */
export async function forwardFile(
  deps: Deps,
  requests: AsyncIterable<ForwardFileRequest>,
): Promise<ForwardResponse> {
  const messages = requests[Symbol.asyncIterator]()
  const first = await messages.next()
  const head = first.done ? undefined : first.value.head
  if (!head || head.timeoutMs <= 0) throw invalidCall()
  const until = databaseNow() + timeoutOf(head)
  const partner = allowedPartner(deps, head, ({ files }) => files?.routes ?? [])
  const { setting } = partner
  if (!setting.files) throw invalidCall()
  const limit = { maxBytes: setting.files.maxBytes, isPassed: false }
  const { contentType, pieces } = fileBody(setting.files, {
    ...fileOf(head),
    chunks: chunksOf(messages, limit),
  })
  const account = await accountOf(deps, setting, head).catch(unlessDatabaseDown)
  if (!account) return noAnswer(notSent('the database does not answer'))

  const filling = { account, card: undefined, kept: undefined }
  const headers = { ...callersHeaders(setting, {}), ...secretHeaders(setting, filling) }
  const call = {
    method: head.method as PartnerCall['method'],
    path: head.path,
    route: partner.route,
    headers: { ...headers, 'content-type': contentType },
    body: pieces,
  }
  const { outcome, tokens } = await sendCall(deps, partner, account, {
    call,
    until,
    request: head,
    once: true,
  })
  if (limit.isPassed) throw tooLarge(limit.maxBytes)
  if (outcome.outcome !== 'answered') return noAnswer(outcome)
  const answer = answerOf(setting, outcome.answer, [...secretsOf(setting, filling), ...tokens])
  return { ...answer, handle: '', numberKept: false, grantKept: false }
}

const plainFields = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

function fileOf({ fields, fileName, contentType }: ForwardFileHead) {
  const read = plainFields.safeParse(parseJson(fields))
  if (!read.success) throw invalidCall()
  return { fields: read.data, name: fileName, contentType }
}

/** The file's bytes as the caller sends them. Notes, and ends the call, when they pass the limit. */
async function* chunksOf(
  messages: AsyncIterator<ForwardFileRequest>,
  limit: { maxBytes: number; isPassed: boolean },
): AsyncGenerator<Uint8Array> {
  let size = 0
  for (;;) {
    const next = await messages.next()
    // A caller that goes away may look like one that is done (Node ends the stream of a cancelled call).
    if (next.done) throw new Error('the caller did not send the end of the file')
    const { chunk, size: whole } = next.value
    if (whole === size) return
    if (!chunk) throw invalidCall()
    size += chunk.length
    limit.isPassed = size > limit.maxBytes
    if (limit.isPassed) throw tooLarge(limit.maxBytes)
    yield chunk
  }
}

function tooLarge(maxBytes: number): DomainError {
  return new DomainError('invalid_argument', 'BODY_TOO_LARGE', `The file is larger than ${maxBytes} bytes.`)
}
