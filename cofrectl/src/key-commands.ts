import { Command } from 'commander'
import type { RevokeSigningKeyResponse, RotateSigningKeyResponse } from '@cofre/proto/gateway/v1/gateway'
import type {
  RotateDataKeyResponse,
  RotateEncryptionKeyResponse,
  RotateKeyEncryptionKeyResponse,
} from '@cofre/proto/vault/v1/vault'
import { runCommand } from './run-command'
import { card } from './table'
import type { Terminal } from './terminal'

/** The vault answers only after it has encrypted all its data under the new key. */
const ROTATION_TIMEOUT_MS = 3_600_000

export function keysCommand(terminal: Terminal): Command {
  const keys = new Command('keys')
    .description('rotates and revokes keys while the services run')
    .addHelpText('after', '\nExample:\n  cofrectl keys rotate-signing')
  addVaultKeys(keys, terminal)
  addSigningKeys(keys, terminal)
  return keys
}

function addVaultKeys(keys: Command, terminal: Terminal): void {
  keys
    .command('rotate-data')
    .description(
      'creates a new data key, re-encrypts everything that the vault stores, and destroys the old keys',
    )
    .addHelpText('after', '\nExample:\n  cofrectl keys rotate-data')
    .action((_options: object, command: Command) =>
      runCommand(terminal, command, async ({ admin, show }) => {
        const rotate = admin.on('vault')<RotateDataKeyResponse>
        const rotated = await rotate('rotateDataKey', {}, ROTATION_TIMEOUT_MS)
        const { dataKeyId, cardsEncrypted, accountsEncrypted, keysDestroyed } = rotated
        const row = {
          'data key': dataKeyId,
          'cards encrypted': cardsEncrypted,
          'accounts encrypted': accountsEncrypted,
          'keys destroyed': keysDestroyed,
        }
        show(rotated, card(row))
      }),
    )
  keys
    .command('rotate-encryption')
    .description('creates a new key pair for encryptedCard; the old one still opens cards for 24 hours')
    .addHelpText('after', '\nExample:\n  cofrectl keys rotate-encryption')
    .action((_options: object, command: Command) =>
      runCommand(terminal, command, async ({ admin, show }) => {
        const answer = await admin.on('vault')<RotateEncryptionKeyResponse>(
          'rotateEncryptionKey',
          {},
          ROTATION_TIMEOUT_MS,
        )
        show(answer, card({ 'encryption key': answer.kid, 'keys destroyed': answer.keysDestroyed }))
      }),
    )
  keys
    .command('rotate-kek')
    .description('re-wraps every data key with the first key-encryption key in the vault’s settings')
    .addHelpText('after', '\nExample:\n  cofrectl keys rotate-kek')
    .action((_options: object, command: Command) =>
      runCommand(terminal, command, async ({ admin, show }) => {
        const rotate = admin.on('vault')<RotateKeyEncryptionKeyResponse>
        const answer = await rotate('rotateKeyEncryptionKey', {}, ROTATION_TIMEOUT_MS)
        const { keyEncryptionKeyId, keysWrapped } = answer
        show(answer, card({ 'key-encryption key': keyEncryptionKeyId, 'keys wrapped': keysWrapped }))
      }),
    )
}

function addSigningKeys(keys: Command, terminal: Terminal): void {
  keys
    .command('rotate-signing')
    .description('signs new API tokens with a new key; tokens in use stay valid')
    .addHelpText('after', '\nExample:\n  cofrectl keys rotate-signing')
    .action((_options: object, command: Command) =>
      runCommand(terminal, command, async ({ admin, show }) => {
        const answer = await admin.on('gateway')<RotateSigningKeyResponse>('rotateSigningKey', {})
        show(answer, card({ 'signing key': answer.kid }))
      }),
    )
  keys
    .command('revoke-signing')
    .description(
      'revokes a leaked signing key and every token that it signed; the tokens stop working within a second',
    )
    .argument('<kid>', 'the key id, from the JWKS or the header of a token')
    .requiredOption('--reason <text>', 'why; stored with the key')
    .option('--by <name>', 'who you are; stored with the reason (default: $USER)')
    .addHelpText(
      'after',
      '\nIf this is the current signing key, a new key replaces it. Sellers need new tokens.' +
        '\n\nExample:\n  cofrectl keys revoke-signing Gk3x… --reason "a copy of the database and its token key leaked"',
    )
    .action((kid: string, options: { reason: string; by?: string }, command: Command) =>
      runCommand(terminal, command, async ({ admin, show }) => {
        const request = { kid, reason: options.reason, revokedBy: options.by ?? terminal.env.USER ?? '' }
        const answer = await admin.on('gateway')<RevokeSigningKeyResponse>('revokeSigningKey', request)
        const { tokensRevoked, currentKid } = answer
        const row = { 'revoked key': kid, 'tokens revoked': tokensRevoked, 'signing key': currentKid }
        show(answer, card(row))
      }),
    )
}
