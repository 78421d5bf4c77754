import type { Codec } from '@cofre/platform/idempotency/idempotency'
import { openSecret, sealSecret } from '@cofre/platform/secret-box'

/** A codec for answers kept for replay: it seals the secret in them, as the secret's own table does. */
export function keptSealed<Message extends { secret: string }>(
  codec: Codec<Message>,
  key: Buffer,
  context: string,
): Codec<Message> {
  return {
    encode: (message) =>
      codec.encode({ ...message, secret: sealSecret(key, message.secret, context).toString('base64') }),
    decode: (bytes) => {
      const message = codec.decode(bytes)
      return {
        ...message,
        secret: openSecret(key, Buffer.from(message.secret, 'base64'), context).toString(),
      }
    },
  }
}
