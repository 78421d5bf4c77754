import {
  PixCollectionStatus,
  PixPermissionStatus,
  PixTryStatus,
  type PixCollection,
  type PixPermission,
} from '@cofre/proto/invoices/v1/pix'
import { z } from 'zod'
import { cents, enumNames, epochMs } from '../schema'

// One that the bank refused is answered as a problem, and shown nowhere.
const permissionStatus = enumNames('PixPermissionStatus', PixPermissionStatus, 'REFUSED')
const collectionStatus = enumNames('PixCollectionStatus', PixCollectionStatus)
const tryStatus = enumNames('PixTryStatus', PixTryStatus)

export const PERMISSION_EXAMPLE = {
  id: 4,
  status: 'CREATED',
  recId: 'RR9999901220270201k3j9d8f7a2b',
  copyAndPaste:
    '00020101021226180014br.gov.bcb.pix5204000053039865802BR5911Padaria Sol6009SAO PAULO62070503***80720014br.gov.bcb.pix2550pix.example.com/qr/v2/rec/8b3da2f39a4140d1a91abd93b6304C3D4',
  qrCodeUrl: 'https://pay.example.com/pix/9kJz1Qm8Tn2bYw0c7Rk5Xg.svg',
  amountInCents: 9_900,
  firstCycle: 2,
  firstDate: 1_803_783_600_000,
  code: null,
  endedBy: null,
  cancelling: false,
  createdAt: 1_801_364_400_000,
  updatedAt: 1_801_364_400_000,
} as const

const code = z.string().nullable()

/** A payer's permission to collect by Pix Automático. */
export const permissionSchema = z
  .object({
    id: z.int(),
    status: permissionStatus.schema.meta({
      description:
        'PENDING: the bank has not answered yet. CREATED: the payer can give it. APPROVED: each invoice from firstCycle on is collected on its due date.',
    }),
    recId: z.string().nullable().meta({ description: 'The bank’s number of it. null while PENDING.' }),
    copyAndPaste: z.string().max(512).nullable().meta({
      description: 'The text behind the QR code, for the app of the payer’s bank. null unless CREATED.',
    }),
    qrCodeUrl: z.url().optional().meta({
      description:
        'The QR code as SVG; no token is needed. 404 unless CREATED. In the answers of its own operations.',
    }),
    amountInCents: cents(1).nullable().meta({
      description: 'What each invoice collects. null: each has its own amount, up to the payer’s limit.',
    }),
    firstCycle: z.int().meta({ description: 'The first cycle that is collected, from 1.' }),
    firstDate: epochMs().meta({ description: 'The day of that cycle. Epoch milliseconds.' }),
    code: code.meta({ description: 'The bank’s code of its end.' }),
    endedBy: z.string().nullable().meta({
      description: 'Who ended it: USUARIO_PAGADOR, PSP_PAGADOR, USUARIO_RECEBEDOR or PSP_RECEBEDOR.',
    }),
    cancelling: z.boolean().meta({ description: 'You have cancelled it, and the bank has yet to.' }),
    createdAt: epochMs(),
    updatedAt: epochMs(),
  })
  .meta({ id: 'PixPermission', examples: [PERMISSION_EXAMPLE] })

/** `baseUrl`: before the address of its QR code; absent: none is named. */
export function presentPermission(
  permission: PixPermission,
  baseUrl?: string,
): z.output<typeof permissionSchema> {
  return {
    id: permission.id,
    status: permissionStatus.nameOf(permission.status),
    recId: permission.recId || null,
    copyAndPaste: permission.copyAndPaste || null,
    ...(baseUrl !== undefined && { qrCodeUrl: `${baseUrl}/pix/${permission.publicId}.svg` }),
    amountInCents: permission.amount ?? null,
    firstCycle: permission.firstCycle,
    firstDate: permission.firstDate,
    code: permission.code || null,
    endedBy: permission.endedBy || null,
    cancelling: permission.cancelling,
    createdAt: permission.createdAt,
    updatedAt: permission.updatedAt,
  }
}

/** A collection of an invoice by Pix Automático. */
export const collectionSchema = z
  .object({
    id: z.int(),
    status: collectionStatus.schema.meta({
      description:
        'PENDING: the bank has not answered yet. ACTIVE: the payer’s bank collects on the day of the next try. REJECTED, EXPIRED, CANCELLED: nothing was collected. REFUSED: your bank did not take it.',
    }),
    txid: z.string().meta({ description: 'The bank’s number of the collection.' }),
    recId: z.string().meta({ description: 'The bank’s number of the permission.' }),
    amountInCents: cents(1),
    dueDate: epochMs().meta({
      description: 'The day on which it is collected. Banks move one that is no business day.',
    }),
    code: code.meta({ description: 'The bank’s code of its end or its refusal.' }),
    tries: z.array(
      z
        .object({
          date: epochMs(),
          status: tryStatus.schema,
          code: code.meta({ description: 'Why the payer’s bank rejected it.' }),
        })
        .meta({ id: 'PixCollectionTry' }),
    ),
    isWithdrawn: z.boolean().meta({
      description:
        'The invoice needed it no more, and the bank has cancelled it. From the day of the first try on, no bank does: a SCHEDULED try is collected, and its money waits as an unexpected receipt.',
    }),
    createdAt: epochMs(),
  })
  .meta({
    id: 'PixCollection',
    examples: [
      {
        id: 31,
        status: 'ACTIVE',
        txid: '6f1e9c4a20d54c3b9a4e0d7b5f1c2e3a',
        recId: PERMISSION_EXAMPLE.recId,
        amountInCents: 9_900,
        dueDate: 1_804_215_600_000,
        code: null,
        tries: [
          { date: 1_804_215_600_000, status: 'REJECTED', code: 'AM02' },
          { date: 1_804_388_400_000, status: 'SCHEDULED', code: null },
        ],
        isWithdrawn: false,
        createdAt: 1_803_783_600_000,
      },
    ],
  })

export function presentCollection(collection: PixCollection): z.output<typeof collectionSchema> {
  const { id, status, txid, recId, amount, dueDate, tries, isWithdrawn, createdAt } = collection
  return {
    id,
    status: collectionStatus.nameOf(status),
    txid,
    recId,
    amountInCents: amount,
    dueDate,
    code: collection.code || null,
    tries: tries.map((one) => ({
      date: one.date,
      status: tryStatus.nameOf(one.status),
      code: one.code || null,
    })),
    isWithdrawn,
    createdAt,
  }
}
