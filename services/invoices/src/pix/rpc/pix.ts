import { notFound } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import {
  IssuePixResponse,
  type GetPixCodeRequest,
  type GetPixCollectionRequest,
  type IssuePixRequest,
  type ListPixRequest,
  type ListPixResponse,
  type PixCharge as Message,
  type PixCode,
  type PixCollection,
  type ReadPixRequest,
} from '@cofre/proto/invoices/v1/pix'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { readInvoice } from '../../invoice/store/invoice-store'
import { collectionMessage } from '../automatic/automatic-message'
import { findCollection, withPermission } from '../automatic/collection-store'
import { scannedPermission } from '../automatic/permission-store'
import { issuePixCharge } from '../registering/issue-pix'
import type { PixCharge } from '../rules/pix-charge'
import { pixMessage } from '../store/pix-message'
import { PIX_CHARGES } from '../store/pix-store'

export async function issuePix(deps: Deps, request: IssuePixRequest): Promise<Replayable<IssuePixResponse>> {
  const issued = await issuePixCharge(deps, request, (open) =>
    IssuePixResponse.encode(responseOf(open, true)).finish(),
  )
  if ('kept' in issued) return { response: IssuePixResponse.decode(issued.kept), replayed: true }
  return { response: responseOf(issued.ask, issued.existing), replayed: false }
}

function responseOf(charge: PixCharge, existing: boolean): IssuePixResponse {
  return { pix: pixMessage(charge, now()), existing }
}

export async function getPixCode({ pool }: Deps, { publicId }: GetPixCodeRequest): Promise<PixCode> {
  const permission = await scannedPermission(pool, publicId)
  if (permission?.copyAndPaste) return { copyAndPaste: permission.copyAndPaste }
  const { status, copyAndPaste } = await withPermission(pool, await PIX_CHARGES.readPublic(pool, publicId))
  // Nobody scans a charge that can't be paid.
  if (status !== 'REGISTERED' || copyAndPaste === null) throw notFound()
  return { copyAndPaste }
}

export async function readPix({ pool }: Deps, request: ReadPixRequest): Promise<Message> {
  const [charge] = await PIX_CHARGES.ofInvoice(pool, request, request.pixId)
  if (!charge) throw notFound('The invoice has no such Pix charge, or the bank refused it. Issue another.')
  return pixMessage(await withPermission(pool, charge), now())
}

export async function getPixCollection(
  { pool }: Deps,
  request: GetPixCollectionRequest,
): Promise<PixCollection> {
  const collection = await findCollection(pool, request)
  if (!collection) throw notFound('The invoice has no collection by Pix Automático.')
  return collectionMessage(collection)
}

export async function listPix({ pool }: Deps, request: ListPixRequest): Promise<ListPixResponse> {
  const { sellerId, invoiceId } = request
  const charges = await PIX_CHARGES.ofInvoice(pool, request)
  // An invoice without charges has an empty list; an unknown one has none.
  if (charges.length === 0) await readInvoice(pool, { sellerId, id: invoiceId })
  const shown = await Promise.all(charges.map((charge) => withPermission(pool, charge)))
  const at = now()
  return { pix: shown.map((charge) => pixMessage(charge, at)) }
}
