import type { Response } from 'express'
import type { RequestRecord, RequestRecordDetail } from '../../history/request-record'
import type { Portal } from '../portal-context'
import { resourceOf, type Resource } from '../things/resource-link'
import { askApi } from './api'

/** Callers may choose theirs. */
const REQUEST_ID = /^[\x21-\x7e]{4,128}$/
const MOST = '5'

/** What the requests with an id made or were about, refused ones too. Nothing for another text. */
export async function requestedBy(portal: Portal, res: Response, requestId: string): Promise<Resource[]> {
  if (!REQUEST_ID.test(requestId)) return []
  const query = { requestId, size: MOST }
  const { body } = await askApi(portal, res, 'listRequests', { query })
  const { content } = body as { content: RequestRecord[] }
  const found = await Promise.all(
    content.map(async ({ id }) => {
      const record = await askApi(portal, res, 'getRequestRecord', { params: { id } })
      return resourceOf(record.body as RequestRecordDetail) ?? []
    }),
  )
  return found.flat()
}
