import type { RequestRecord, RequestRecordDetail } from '../../history/request-record'
import { resourceOf, type Resource } from '../things/resource-link'
import type { Ask } from './thing'

/** Callers may choose theirs. */
const REQUEST_ID = /^[\x21-\x7e]{4,128}$/
const MOST = '5'

/** What the requests with an id made or were about, refused ones too. Nothing for another text. */
export async function requestedBy(ask: Ask, requestId: string): Promise<Resource[]> {
  if (!REQUEST_ID.test(requestId)) return []
  const query = { requestId, size: MOST }
  const { content } = (await ask('listRequests', query)) as { content: RequestRecord[] }
  const found = await Promise.all(
    content.map(async ({ id }) => {
      const record = await ask('getRequestRecord', {}, { id })
      return resourceOf(record as RequestRecordDetail) ?? []
    }),
  )
  return found.flat()
}
