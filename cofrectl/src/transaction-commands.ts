import { Command, Option } from 'commander'
import type { Charge, ListPendingTransactionsResponse } from '@cofre/proto/orders/v1/orders'
import { parseId } from './arguments'
import { runCommand } from './run-command'
import { card, moment, table } from './table'
import type { Terminal } from './terminal'

type ResolveOptions = {
  seller: number
  charge: number
  transaction: number
  as: 'succeeded' | 'failed'
  reason: string
  by?: string
  acquirerPayment?: string
}

/** As the proto loader reads it: enums are strings. */
type Resolved = Omit<Charge, 'status'> & { status: string }
type Listed = Omit<ListPendingTransactionsResponse, 'transactions'> & {
  transactions: (Omit<ListPendingTransactionsResponse['transactions'][number], 'type'> & { type: string })[]
}

export function transactionCommand(terminal: Terminal): Command {
  const transaction = new Command('transaction')
    .description('operations that the acquirer has not answered')
    .addHelpText('after', '\nExample:\n  cofrectl transaction list --pending')
  transaction
    .command('resolve')
    .description('records the outcome of an operation when the acquirer cannot report it')
    .requiredOption('--seller <id>', 'the seller', parseId)
    .requiredOption('--charge <id>', 'the charge', parseId)
    .requiredOption('--transaction <id>', 'the transaction’s number within the charge', parseId)
    .addOption(
      new Option('--as <outcome>', 'what happened').choices(['succeeded', 'failed']).makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'how you know; stored with the transaction')
    .option('--by <name>', 'who you are; stored with the reason (default: $USER)')
    .option(
      '--acquirer-payment <id>',
      'the acquirer’s PaymentId; required for an authorization that succeeded',
    )
    .addHelpText(
      'after',
      '\nThe charge changes and the seller is notified as if the acquirer had answered. Nothing is sent to the acquirer.' +
        '\n\nExample:\n  cofrectl transaction resolve --seller 9 --charge 981 --transaction 2 --as failed --reason "acquirer ticket 4711"',
    )
    .action((options: ResolveOptions, command: Command) => resolve(terminal, command, options))
  transaction
    .command('list')
    .description('lists operations pending for longer than PENDING_TOO_LONG_MINUTES, the oldest first')
    .requiredOption('--pending', 'lists pending operations; PENDING_TOO_LONG_MINUTES is a setting of orders')
    .option('--seller <id>', 'of one seller only', parseId)
    .addHelpText('after', '\nExample:\n  cofrectl transaction list --pending --seller 9')
    .action((options: { seller?: number }, command: Command) => list(terminal, command, options))
  return transaction
}

function list(terminal: Terminal, command: Command, { seller }: { seller?: number }): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    const request = seller === undefined ? {} : { sellerId: seller }
    const answer = await admin.on('orders')<Listed>('listPendingTransactions', request)
    const rows = answer.transactions.map((one) => ({
      seller: one.sellerId,
      charge: one.chargeId,
      transaction: one.transactionId,
      type: one.type.replace('TRANSACTION_TYPE_', ''),
      amount: one.amount,
      'order number': one.orderNumber,
      'acquirer payment': one.acquirerPaymentId,
      since: moment(one.createdAt),
    }))
    show(answer, table(rows) + (answer.more ? 'There are more.\n' : ''))
  })
}

function resolve(terminal: Terminal, command: Command, options: ResolveOptions): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    const charge = await admin.on('orders')<Resolved>('resolveTransaction', {
      sellerId: options.seller,
      chargeId: options.charge,
      transactionId: options.transaction,
      status: `TRANSACTION_STATUS_${options.as.toUpperCase()}`,
      reason: options.reason,
      resolvedBy: options.by ?? terminal.env.USER ?? '',
      acquirerPaymentId: options.acquirerPayment ?? '',
    })
    const { id, status, amount, capturedAmount, refundedAmount } = charge
    const word = status.replace('CHARGE_STATUS_', '')
    show(
      charge,
      card({ charge: id, status: word, amount, captured: capturedAmount, refunded: refundedAmount }),
    )
  })
}
