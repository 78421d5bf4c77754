import { serve, type ServedService } from '@cofre/platform/grpc-server'
import type { Logger } from '@cofre/platform/log'
import {
  NotifierService,
  SigningSecret,
  type GetSigningSecretRequest,
} from '@cofre/proto/notifier/v1/notifier'
import type { Marks } from './memory-marks'

/** A signing secret for each seller, in memory. */
export function createSmallNotifier(marks: Marks) {
  const rotations = new Map<number, number>()
  const secretOf = (sellerId: number) => ({
    secret: `whsec_${Buffer.from(`seller ${sellerId}, secret ${rotations.get(sellerId) ?? 0}`).toString('base64')}`,
  })
  const service = (log: Logger): ServedService =>
    serve(
      log,
      NotifierService,
      { getSigningSecret: ['gateway'], rotateSigningSecret: ['gateway'] },
      {
        getSigningSecret: async ({ sellerId }: GetSigningSecretRequest) => secretOf(sellerId),
        rotateSigningSecret: async ({ sellerId }: GetSigningSecretRequest) =>
          marks.once(sellerId, SigningSecret, () => {
            rotations.set(sellerId, (rotations.get(sellerId) ?? 0) + 1)
            return secretOf(sellerId)
          }),
      },
    )
  return { service }
}
