import { Command } from 'commander'
import type { Establishment } from '@cofre/proto/orders/v1/orders'
import { parseId } from './arguments'
import { createEstablishment, readEstablishments } from './create-establishment'
import { runCommand } from './run-command'
import { readSecret } from './secret-input'
import { card, moment, table } from './table'
import type { Terminal } from './terminal'

type CreateOptions = {
  seller: number
  merchantId: string
  merchantKeyFile: string
  affiliate?: number
  acquirer: string
  networkTokens: boolean
  retryWithCard: boolean
  establishmentNumber?: string
}

export function establishmentCommand(terminal: Terminal): Command {
  const establishment = new Command('establishment')
    .description('sellers’ accounts at the acquirer')
    .addHelpText('after', '\nExample:\n  cofrectl establishment list --seller 9')
  establishment
    .command('create')
    .description('adds a seller’s account at the acquirer, or replaces its key')
    .requiredOption('--seller <id>', 'the seller', parseId)
    .requiredOption('--merchant-id <guid>', 'the MerchantId that the acquirer gave')
    .requiredOption('--merchant-key-file <file>', 'file with the MerchantKey; - reads standard input')
    .option(
      '--affiliate <id>',
      'the store that uses it; without this option, the seller’s default store',
      parseId,
    )
    .option('--acquirer <name>', 'the acquirer', 'cielo')
    .option('--network-tokens', 'the acquirer has enabled network tokens for it', false)
    .option(
      '--retry-with-card',
      'if a network token causes a decline, try the payment once more with the card number',
      false,
    )
    .option(
      '--establishment-number <digits>',
      'the number by which the acquirer files disputes (Cielo’s EC); without this option, disputes are not asked for',
    )
    .addHelpText(
      'after',
      '\nExample:\n  cofrectl establishment create --seller 9 --merchant-id 6f1e9c4a-20d5-4c3b-9a4e-0d7b5f1c2e3a --merchant-key-file key.txt',
    )
    .action((options: CreateOptions, command: Command) => create(terminal, command, options))
  establishment
    .command('list')
    .description('lists a seller’s establishments')
    .requiredOption('--seller <id>', 'the seller', parseId)
    .addHelpText('after', '\nExample:\n  cofrectl establishment list --seller 9')
    .action((options: { seller: number }, command: Command) =>
      runCommand(terminal, command, async ({ admin, show }) => {
        const establishments = await readEstablishments(admin, options.seller)
        show(establishments, table(establishments.map(rowOf)))
      }),
    )
  return establishment
}

function create(terminal: Terminal, command: Command, options: CreateOptions): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    const merchantKey = await readSecret(terminal, 'merchant key', options.merchantKeyFile)
    const created = await createEstablishment(admin, {
      sellerId: options.seller,
      acquirer: options.acquirer,
      merchantId: options.merchantId,
      merchantKey,
      networkTokens: options.networkTokens,
      retryWithCard: options.retryWithCard,
      ...(options.affiliate === undefined ? {} : { affiliateId: options.affiliate }),
      ...(options.establishmentNumber === undefined
        ? {}
        : { establishmentNumber: options.establishmentNumber }),
    })
    show(created, card(rowOf(created)))
  })
}

function rowOf(establishment: Establishment) {
  const { id, sellerId, affiliateId, acquirer, merchantId, networkTokens, retryWithCard } = establishment
  return {
    id,
    seller: sellerId,
    affiliate: affiliateId ?? 'default',
    acquirer: acquirer ?? '',
    'merchant id': merchantId,
    'network tokens': networkTokens ? 'yes' : 'no',
    'retry with card': retryWithCard ? 'yes' : 'no',
    'establishment number': establishment.establishmentNumber ?? 'none',
    created: moment(establishment.createdAt),
  }
}
