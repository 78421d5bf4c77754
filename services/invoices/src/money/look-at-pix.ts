import { followCollection } from '../pix/automatic/follow-collection'
import type { BankCharge } from '../pix/bank/pix-bank'
import { recognize, tryToRegister } from '../pix/registering/registration'
import { isKnown, type PixCharge } from '../pix/rules/pix-charge'
import { paidForPix } from '../pix/store/pix-asks'
import { PIX_CHARGES } from '../pix/store/pix-store'
import { lookOf } from './look-at-asks'

export const PIX_LOOK = lookOf<PixCharge, BankCharge>({
  what: 'pix',
  store: PIX_CHARGES,
  rulesOf: ({ pix }) => pix.rules,
  find: ({ pix }, charge, deadline) => pix.bank.find(charge, deadline),
  withdraw: ({ pix }, charge, deadline) => pix.bank.withdraw(charge, deadline),
  isKnown,
  recognize,
  register: tryToRegister,
  paidFor: paidForPix,
  follow: followCollection,
})
