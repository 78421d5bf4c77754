import { DomainError, unavailable } from '@cofre/platform/errors'
import { newMark } from '@cofre/platform/idempotency/mark'
import { randomHex } from '@cofre/platform/random-hex'
import type { Deps } from '../../deps'
import { issueAsk, type Dispatch, type Issuing } from '../../invoice/issue-ask'
import type { WholeInvoice } from '../../invoice/rules/invoice'
import { notAccepted } from '../../invoice/rules/payment-window'
import { newPublicId } from '../../catalog/public-id'
import { UNSENT } from '../../methods/rules/registered-ask'
import type { PixCharge } from '../rules/pix-charge'
import { pixTermsOf } from '../rules/pix-terms'
import { keepKey } from '../store/pix-account-store'
import { insertPix, PIX_CHARGES } from '../store/pix-store'
import { register } from './registration'

/** 32 characters: API Pix takes 26 to 35. */
export const TXID_BYTES = 16

/** How long the request for another ask waits for a Pix charge. */
const BESIDE_MS = 5_000

const REFUSALS = {
  noAccount: () => notAccepted('The seller has no Pix account at a bank.'),
  refused: () => {
    const message = 'The bank did not register the Pix charge, so nobody can pay it.'
    return new DomainError('failed_precondition', 'PIX_REFUSED', message)
  },
  notReached: () => unavailable('The bank could not be reached; no Pix charge was created.'),
}

type Key = { sellerId: number; invoiceId: number }

/** Issues a Pix charge. `answerOf`: the answer with one that is open already, as it is kept for the key. */
export async function issuePixCharge(deps: Deps, key: Key, answerOf: (open: PixCharge) => Uint8Array) {
  const { rules } = deps.pix
  return issueAsk<PixCharge>(deps.pool, key, { ...(await issuing(deps, key)), rules, answerOf })
}

/** Issues a Pix charge within the request for another ask, whose key is not its own. A slow bank answers the sweeper. */
export async function issuePixBeside(deps: Deps, key: Key): Promise<void> {
  const { rules } = deps.pix
  const given = { ...(await issuing(deps, key)), answerOf: () => new Uint8Array() }
  const mark = { ...newMark(key.sellerId), key: undefined }
  await issueAsk<PixCharge>(
    deps.pool,
    key,
    { ...given, rules: { ...rules, bankTimeoutMs: Math.min(BESIDE_MS, rules.bankTimeoutMs) } },
    mark,
  )
}

async function issuing(deps: Deps, key: Key): Promise<Omit<Issuing<PixCharge>, 'rules' | 'answerOf'>> {
  return {
    store: PIX_CHARGES,
    account: await deps.pix.accounts.find(key.sellerId),
    insert: async (tx, payable, { operationId, ...dispatch }) => {
      await keepKey(tx, { ...dispatch, sellerId: key.sellerId })
      return insertPix(tx, { ...newCharge(payable, dispatch), operationId })
    },
    register: (charge) => register(deps, charge),
    refusals: REFUSALS,
  }
}

/** The charge of an invoice as it is saved before the bank is called: every call for it has the same txid. */
function newCharge(invoice: WholeInvoice, { at, ...dispatch }: Dispatch): Omit<PixCharge, 'id'> {
  const { id: invoiceId, sellerId, customer } = invoice
  return {
    ...UNSENT,
    ...pixTermsOf(invoice, at),
    ...dispatch,
    sellerId,
    invoiceId,
    publicId: newPublicId(),
    txid: randomHex(TXID_BYTES),
    payer: { name: customer.name, document: customer.document },
    copyAndPaste: null,
    collection: null,
    createdAt: at,
    updatedAt: at,
  }
}
