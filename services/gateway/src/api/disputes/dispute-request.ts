import { z } from 'zod'
import type { UploadedFile } from '../../http/body/upload'
import { line } from '../fields/body-fields'
import { email } from '../fields/email-field'

/** The acquirer's limits of a file. */
export const EVIDENCE_BYTES_MAX = 8 * 1024 * 1024
const REASON_MAX = 100

const answeredBy = () =>
  email().optional().meta({
    format: 'idn-email',
    description:
      'Who answers: the acquirer records it. Without it, an address that names your seller number is recorded.',
  })

export const acceptRequestSchema = z
  .object({ answeredBy: answeredBy() })
  .meta({ id: 'AcceptDisputeRequest', examples: [{ answeredBy: 'ana@shop.example' }] })

/** The file is the last field of the form. */
export const evidenceRequestSchema = z
  .object({
    reason: line(REASON_MAX).meta({ minLength: 1, description: 'Your words to the issuer, in Portuguese.' }),
    answeredBy: answeredBy(),
    file: z
      .custom<UploadedFile>((value) => typeof value === 'object' && value !== null && 'chunks' in value, {
        params: { code: 'REQUIRED', detail: 'is required: a file, as the last field of the form' },
      })
      .meta({
        type: 'string',
        format: 'binary',
        description:
          'One PDF, JPEG or TIFF of at most 8 MB (8388608 bytes) and 10 pages. It is the last field of the form. Its part has the header Content-Type: application/pdf, image/jpeg or image/tiff.',
      }),
  })
  .meta({
    id: 'DisputeEvidenceRequest',
    examples: [
      { reason: 'O titular assinou a entrega.', answeredBy: 'ana@shop.example', file: 'entrega.pdf' },
    ],
  })
