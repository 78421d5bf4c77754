import { Command, Option } from 'commander'
import type { ListPendingPaymentsResponse, VoucherPayment } from '@cofre/proto/vouchers/v1/vouchers'
import { parseId } from './arguments'
import { runCommand } from './run-command'
import { card, moment, table } from './table'
import type { Terminal } from './terminal'

type ResolveOptions = {
  seller: number
  payment: number
  as: 'succeeded' | 'failed'
  reason: string
  by?: string
}

/** As the proto loader reads it: enums are strings. */
type Resolved = Omit<VoucherPayment, 'status'> & { status: string }

export function voucherCommand(terminal: Terminal): Command {
  const voucher = new Command('voucher')
    .description('voucher payments that the issuer has not answered')
    .addHelpText('after', '\nExample:\n  cofrectl voucher list --pending')
  voucher
    .command('resolve')
    .description('records the outcome of a payment or cancellation when the issuer cannot report it')
    .requiredOption('--seller <id>', 'the seller', parseId)
    .requiredOption('--payment <id>', 'the voucher payment', parseId)
    .addOption(
      new Option('--as <outcome>', 'what happened to the pending operation')
        .choices(['succeeded', 'failed'])
        .makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'how you know; stored with the payment')
    .option('--by <name>', 'who you are; stored with the reason (default: $USER)')
    .addHelpText(
      'after',
      '\nThe payment changes and the seller is notified as if the issuer had answered. Nothing is sent to the issuer.' +
        '\n\nExample:\n  cofrectl voucher resolve --seller 9 --payment 31 --as failed --reason "issuer ticket 4711"',
    )
    .action((options: ResolveOptions, command: Command) => resolve(terminal, command, options))
  voucher
    .command('list')
    .description('lists voucher payments, the oldest first')
    .requiredOption(
      '--pending',
      'lists payments pending for longer than PENDING_TOO_LONG_MINUTES, a setting of vouchers',
    )
    .option('--seller <id>', 'of one seller only', parseId)
    .addHelpText('after', '\nExample:\n  cofrectl voucher list --pending --seller 9')
    .action((options: { seller?: number }, command: Command) => list(terminal, command, options))
  return voucher
}

function list(terminal: Terminal, command: Command, { seller }: { seller?: number }): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    const request = seller === undefined ? {} : { sellerId: seller }
    const answer = await admin.on('vouchers')<ListPendingPaymentsResponse>('listPendingPayments', request)
    const rows = answer.payments.map((one) => ({
      seller: one.sellerId,
      payment: one.id,
      operation: one.pendingOperation,
      brand: one.cardBrand,
      amount: one.amount,
      'order number': one.orderNumber,
      since: moment(one.updatedAt),
    }))
    show(answer, table(rows) + (answer.more ? 'There are more.\n' : ''))
  })
}

function resolve(terminal: Terminal, command: Command, options: ResolveOptions): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    const payment = await admin.on('vouchers')<Resolved>('resolvePayment', {
      sellerId: options.seller,
      paymentId: options.payment,
      succeeded: options.as === 'succeeded',
      reason: options.reason,
      resolvedBy: options.by ?? terminal.env.USER ?? 'cofrectl',
    })
    const { id, status, amount } = payment
    show(payment, card({ payment: id, status: status.replace('VOUCHER_PAYMENT_STATUS_', ''), amount }))
  })
}
