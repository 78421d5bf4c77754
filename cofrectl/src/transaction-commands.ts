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
  const transaction = new Command('transaction').description('operations at the acquirer that stay pending')
  transaction
    .command('resolve')
    .description(
      'closes a capture, refund or void that the acquirer can’t explain with what people found out',
    )
    .requiredOption('--seller <id>', 'the seller', parseId)
    .requiredOption('--charge <id>', 'the charge', parseId)
    .requiredOption('--transaction <id>', 'its number within the charge', parseId)
    .addOption(
      new Option('--as <outcome>', 'what happened').choices(['succeeded', 'failed']).makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'how it is known; goes into the log')
    .addHelpText(
      'after',
      '\nThe seller is told as if the acquirer had answered; nothing is sent.' +
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
