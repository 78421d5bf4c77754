import { epochMs } from '@cofre/api/schema'
import { z } from 'zod'

const EXAMPLE = {
  id: '019af3c2b1d8f0a1b2c3d4e5f6a7b8c9',
  requestId: 'req_5f0c9d2e8b7a4c1d9e3f6a2b',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  method: 'POST',
  route: '/api/v2/charges/{id}/capture',
  path: '/api/v2/charges/981/capture',
  status: 422,
  code: 'CAPTURE_EXCEEDS_AUTHORIZED',
  durationMs: 12,
  tokenId: '6f1c9a52-6d5e-4a0f-9a43-0f6f1d1a7c11',
  address: '203.0.113.9',
  createdAt: 1_767_225_600_000,
} as const

/** One request to the API, as an entry of a page. */
export const requestRecordSchema = z
  .object({
    id: z.string(),
    requestId: z.string(),
    traceId: z.string().meta({ description: 'W3C trace context.' }),
    method: z.string(),
    route: z.string().nullable().meta({ description: 'The path as this document writes it.' }),
    path: z.string().meta({
      description: 'The path of the request. Every segment that is not an id of this API is removed.',
    }),
    status: z.int().nullable().meta({
      description: 'The HTTP status of the answer. Null: the client closed the connection before it.',
    }),
    code: z
      .string()
      .nullable()
      .meta({ description: 'The code of the problem, if the answer was a problem.' }),
    durationMs: z.int(),
    tokenId: z
      .string()
      .nullable()
      .meta({ description: 'The id of the access token that the request used, not the token itself.' }),
    address: z.string().meta({ description: 'The IP address of the caller.' }),
    createdAt: epochMs(),
  })
  .meta({ id: 'RequestRecord', examples: [EXAMPLE] })

/** The same request, read alone. */
export const requestRecordDetailSchema = requestRecordSchema
  .extend({
    body: z.unknown().meta({
      description:
        'The fields of the body that are kept: amounts, installments, references. Null: none, or the body was refused.',
    }),
    answer: z
      .object({
        id: z.union([z.int(), z.string()]).meta({ id: 'ResourceId' }).optional(),
        status: z.string().optional(),
        errors: z
          .array(z.object({ pointer: z.string(), code: z.string() }).meta({ id: 'RecordedFault' }))
          .optional(),
      })
      .meta({
        id: 'RecordedAnswer',
        description: 'From the answer: the resource and its state, or the errors of the request.',
      }),
  })
  .meta({
    id: 'RequestRecordDetail',
    examples: [
      { ...EXAMPLE, body: { amount: 6_000 }, answer: { errors: [{ pointer: '#/amount', code: 'MAX' }] } },
    ],
  })

export type RequestRecord = z.output<typeof requestRecordSchema>
export type RequestRecordDetail = z.output<typeof requestRecordDetailSchema>
