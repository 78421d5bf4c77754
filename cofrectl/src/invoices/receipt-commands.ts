import { Command } from 'commander'
import type { UnexpectedReceipt } from '@cofre/proto/invoices/v1/boletos'
import type { ListWaitingReceiptsResponse } from '@cofre/proto/invoices/v1/invoices'
import { parseId } from '../arguments'
import { runCommand } from '../run-command'
import { card, moment, table } from '../table'
import type { Terminal } from '../terminal'

type CloseOptions = { receipt: number; reason: string; by?: string }

/** As the proto loader reads it: enums are strings. */
type Shown<Of> = Omit<Of, 'reason'> & { reason: string }
type Listed = Omit<ListWaitingReceiptsResponse, 'receipts'> & { receipts: Shown<UnexpectedReceipt>[] }

export function receiptCommand(terminal: Terminal): Command {
  const receipt = new Command('receipt')
    .description('money paid by boleto that no invoice accepted')
    .addHelpText('after', '\nExample:\n  cofrectl receipt list')
  receipt
    .command('list')
    .description('lists unresolved receipts, the oldest first; by default, those that belong to no seller')
    .option('--seller <id>', 'receipts of this seller instead', parseId)
    .addHelpText(
      'after',
      '\nA receipt has no seller if Cofre never registered a boleto in the bank account (agreement) that got the money.' +
        '\nSellers see and resolve their own receipts at /api/v2/invoices/unexpected-receipts.' +
        '\n\nExample:\n  cofrectl receipt list --seller 9',
    )
    .action((options: { seller?: number }, command: Command) => list(terminal, command, options))
  receipt
    .command('close')
    .description('records what you did with the money of a receipt that has no seller')
    .requiredOption('--receipt <id>', 'the receipt', parseId)
    .requiredOption('--reason <text>', 'what you did with the money; stored with the receipt')
    .option('--by <name>', 'who you are; stored with the reason (default: $USER)')
    .addHelpText(
      'after',
      '\nThis moves no money: first return it, or pass it on, at the bank. You cannot change a closed receipt.' +
        '\n\nExample:\n  cofrectl receipt close --receipt 12 --reason "returned to the payer, bank ticket 4711"',
    )
    .action((options: CloseOptions, command: Command) => close(terminal, command, options))
  return receipt
}

function list(terminal: Terminal, command: Command, { seller }: { seller?: number }): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    const request = seller === undefined ? {} : { sellerId: seller }
    const answer = await admin.on('invoices')<Listed>('listWaitingReceipts', request)
    const rows = answer.receipts.map((one) => ({
      receipt: one.id,
      seller: one.sellerId || undefined,
      account: one.account,
      boleto: one.ourNumber,
      'bank receipt': one.bankReceiptId,
      amount: one.unexpectedAmount,
      reason: reasonOf(one),
      paid: moment(one.paidAt),
    }))
    show(answer, table(rows) + (answer.more ? 'There are more.\n' : ''))
  })
}

function close(terminal: Terminal, command: Command, options: CloseOptions): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    const closed = await admin.on('invoices')<Shown<UnexpectedReceipt>>('closeReceipt', {
      receiptId: options.receipt,
      reason: options.reason,
      closedBy: options.by ?? terminal.env.USER ?? 'cofrectl',
    })
    const { id, unexpectedAmount: amount, resolution, resolvedBy, resolvedAt } = closed
    show(
      closed,
      card({ receipt: id, amount, reason: resolution, by: resolvedBy, closed: moment(resolvedAt) }),
    )
  })
}

function reasonOf({ reason }: { reason: string }): string {
  return reason.replace('UNEXPECTED_REASON_', '')
}
