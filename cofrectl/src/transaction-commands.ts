import { Command, Option } from 'commander'
import type { Charge } from '@cofre/proto/orders/v1/orders'
import { parseId } from './arguments'
import { runCommand } from './run-command'
import { card } from './table'
import type { Terminal } from './terminal'

type ResolveOptions = {
  seller: number
  charge: number
  transaction: number
  as: 'succeeded' | 'failed'
  reason: string
}

export function transactionCommand(terminal: Terminal): Command {
  const transaction = new Command('transaction').description('operations that stay pending at the acquirer')
  transaction
    .command('resolve')
    .description('records the outcome of a capture, refund or void when the acquirer cannot report it')
    .requiredOption('--seller <id>', 'the seller', parseId)
    .requiredOption('--charge <id>', 'the charge', parseId)
    .requiredOption('--transaction <id>', 'the transaction’s number within the charge', parseId)
    .addOption(
      new Option('--as <outcome>', 'what happened').choices(['succeeded', 'failed']).makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'how you know; kept in the log')
    .addHelpText(
      'after',
      '\nThe charge changes and the seller is notified as if the acquirer had answered. Nothing is sent to the acquirer.' +
        '\n\nExample:\n  cofrectl transaction resolve --seller 9 --charge 981 --transaction 2 --as failed --reason "acquirer ticket 4711"',
    )
    .action((options: ResolveOptions, command: Command) => resolve(terminal, command, options))
  return transaction
}

function resolve(terminal: Terminal, command: Command, options: ResolveOptions): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    const charge = await admin.on('orders')<Charge>('resolveTransaction', {
      sellerId: options.seller,
      chargeId: options.charge,
      transactionId: options.transaction,
      status: `TRANSACTION_STATUS_${options.as.toUpperCase()}`,
      reason: options.reason,
    })
    const { id, status, amount, capturedAmount, refundedAmount } = charge
    show(charge, card({ charge: id, status, amount, captured: capturedAmount, refunded: refundedAmount }))
  })
}
