import { z } from 'zod'

const faultSchema = z
  .object({
    pointer: z.string().meta({ description: 'JSON pointer.', examples: ['#/payments/0/amount'] }),
    code: z.string().meta({ examples: ['MAX'] }),
    detail: z.string(),
  })
  .meta({ id: 'Fault', description: 'A fault of one member or parameter.' })

/** A problem of RFC 9457. Other members may stand at the top: `currentStatus`, `allowedActions`. */
export const problemSchema = z
  .looseObject({
    type: z.url().meta({ description: 'The URL of the explanation of the code.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().optional(),
    instance: z
      .string()
      .meta({ description: 'The path of the request. Segments that are not well-formed ids are removed.' }),
    code: z.string().meta({ examples: ['VALIDATION_FAILED'] }),
    requestId: z.string(),
    retryable: z.boolean().meta({ description: 'Whether the same request may succeed later.' }),
    errors: z.array(faultSchema).max(20).optional(),
  })
  .meta({
    id: 'Problem',
    examples: [
      {
        type: 'https://pay.example.com/docs/errors#VALIDATION_FAILED',
        title: 'The request is not valid',
        status: 400,
        detail: 'amount must be at least 1.',
        instance: '/api/v2/charges/981/capture',
        code: 'VALIDATION_FAILED',
        requestId: 'req_5f0c9d2e8b7a4c1d9e3f6a2b',
        retryable: false,
        errors: [{ pointer: '#/amount', code: 'MIN', detail: 'must be at least 1' }],
      },
    ],
  })

export type Problem = z.output<typeof problemSchema>
