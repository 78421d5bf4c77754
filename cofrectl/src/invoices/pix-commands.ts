import { Command } from 'commander'
import type { RegisterPixWebhookResponse } from '@cofre/proto/invoices/v1/invoices'
import { parseId } from '../arguments'
import { runCommand } from '../run-command'
import { card } from '../table'
import type { Terminal } from '../terminal'

export function pixCommand(terminal: Terminal): Command {
  const pix = new Command('pix')
    .description('sellers’ Pix keys at their banks')
    .addHelpText('after', '\nExample:\n  cofrectl pix webhook --seller 9')
  pix
    .command('webhook')
    .description('registers the address to which the bank reports Pix again, and shows what it had and has')
    .requiredOption('--seller <id>', 'the seller', parseId)
    .addHelpText(
      'after',
      '\nCofre does the same by itself with the first charge of a key, and looks at it daily.' +
        '\nThe secret part of the address is not shown, and of another system’s address only the host.' +
        '\n\nExample:\n  cofrectl pix webhook --seller 9',
    )
    .action((options: { seller: number }, command: Command) => webhook(terminal, command, options))
  return pix
}

function webhook(terminal: Terminal, command: Command, { seller }: { seller: number }): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    const request = { sellerId: seller }
    const answer = await admin.on('invoices')<RegisterPixWebhookResponse>('registerPixWebhook', request)
    show(answer, card({ key: answer.account, before: answer.before, now: answer.after }))
  })
}
