import { Command } from 'commander'
import type { RotateSigningKeyResponse } from '@cofre/proto/gateway/v1/gateway'
import type { RotateDataKeyResponse, RotateKeyEncryptionKeyResponse } from '@cofre/proto/vault/v1/vault'
import { runCommand } from './run-command'
import { card } from './table'
import type { Terminal } from './terminal'

/** All that the vault stores is encrypted under the new key before it answers. */
const ROTATION_TIMEOUT_MS = 3_600_000

export function keysCommand(terminal: Terminal): Command {
  const keys = new Command('keys').description('rotates keys while the services run')
  keys
    .command('rotate-data')
    .description(
      'creates a new data key, re-encrypts everything the vault stores with it and destroys the old keys',
    )
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
    .command('rotate-kek')
    .description('re-wraps every data key with the first key-encryption key in the vault’s settings')
    .action((_options: object, command: Command) =>
      runCommand(terminal, command, async ({ admin, show }) => {
        const rotate = admin.on('vault')<RotateKeyEncryptionKeyResponse>
        const answer = await rotate('rotateKeyEncryptionKey', {}, ROTATION_TIMEOUT_MS)
        const { keyEncryptionKeyId, keysWrapped } = answer
        show(answer, card({ 'key-encryption key': keyEncryptionKeyId, 'keys wrapped': keysWrapped }))
      }),
    )
  keys
    .command('rotate-signing')
    .description('signs new API tokens with a new key; tokens in use stay valid')
    .action((_options: object, command: Command) =>
      runCommand(terminal, command, async ({ admin, show }) => {
        const answer = await admin.on('gateway')<RotateSigningKeyResponse>('rotateSigningKey', {})
        show(answer, card({ 'signing key': answer.kid }))
      }),
    )
  return keys
}
