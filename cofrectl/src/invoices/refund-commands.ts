import { Command } from 'commander'
import type { ListRefusedRefundsResponse } from '@cofre/proto/invoices/v1/invoices'
import { parseId } from '../arguments'
import { runCommand } from '../run-command'
import { card, moment, table } from '../table'
import type { Terminal } from '../terminal'

type Named = { seller: number; transaction: number }
type CloseOptions = Named & { reason: string; by?: string }

export function refundCommand(terminal: Terminal): Command {
  const refund = new Command('refund')
    .description('refunds of invoice payments that the acquirer refused')
    .addHelpText('after', '\nExample:\n  cofrectl refund list')
  refund
    .command('list')
    .description('lists refunds that the acquirer finally refused, the oldest first')
    .option('--seller <id>', 'of one seller only', parseId)
    .addHelpText(
      'after',
      '\nA card was charged for an invoice that could no longer accept the money, for example because a boleto paid it first.' +
        '\nCofre tried each refund six times over two days.' +
        '\n\nExample:\n  cofrectl refund list --seller 9',
    )
    .action((options: { seller?: number }, command: Command) => list(terminal, command, options))
  named(refund.command('retry'))
    .description('tries a refund once more')
    .addHelpText('after', '\nExample:\n  cofrectl refund retry --seller 9 --transaction 31')
    .action((options: Named, command: Command) => retry(terminal, command, options))
  named(refund.command('close'))
    .description('records that you returned the money in another way')
    .requiredOption('--reason <text>', 'how you returned it; stored with the payment')
    .option('--by <name>', 'who you are; stored with the reason (default: $USER)')
    .addHelpText(
      'after',
      '\nThe payment becomes FAILED. This moves no money: first return it, at the acquirer or by bank transfer.' +
        '\n\nExample:\n  cofrectl refund close --seller 9 --transaction 31 --reason "bank transfer of 24 November"',
    )
    .action((options: CloseOptions, command: Command) => close(terminal, command, options))
  return refund
}

function named(command: Command): Command {
  return command
    .requiredOption('--seller <id>', 'the seller', parseId)
    .requiredOption('--transaction <id>', 'the invoice’s transaction', parseId)
}

function list(terminal: Terminal, command: Command, { seller }: { seller?: number }): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    const request = seller === undefined ? {} : { sellerId: seller }
    const answer = await admin.on('invoices')<ListRefusedRefundsResponse>('listRefusedRefunds', request)
    const rows = answer.refunds.map((one) => ({
      seller: one.sellerId,
      invoice: one.invoiceId,
      transaction: one.transactionId,
      charge: one.chargeId,
      amount: one.amount,
      refusals: one.refusals,
      'acquirer code': one.acquirerCode,
      since: moment(one.createdAt),
    }))
    show(answer, table(rows) + (answer.more ? 'There are more.\n' : ''))
  })
}

function retry(terminal: Terminal, command: Command, { seller, transaction }: Named): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    await admin.on('invoices')<object>('retryRefund', { sellerId: seller, transactionId: transaction })
    const answer = { transaction, status: 'RETRYING' }
    show(answer, card(answer))
  })
}

function close(terminal: Terminal, command: Command, options: CloseOptions): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    await admin.on('invoices')<object>('closeRefund', {
      sellerId: options.seller,
      transactionId: options.transaction,
      reason: options.reason,
      closedBy: options.by ?? terminal.env.USER ?? 'cofrectl',
    })
    const answer = { transaction: options.transaction, status: 'CLOSED' }
    show(answer, card(answer))
  })
}
