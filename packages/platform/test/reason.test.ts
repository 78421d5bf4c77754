import { DomainError } from '../src/errors'
import { fromStatus, toStatus } from '../src/grpc/status'
import type { ServiceError } from '@grpc/grpc-js'

// The compiler runs this test: `npm run lint` fails when the line below a @ts-expect-error does compile.
test('a refusal compiles with a code of the API, and only then', () => {
  const good = new DomainError('not_found', 'NOT_FOUND', 'There is none.')
  // @ts-expect-error the code is mistyped
  const mistyped = new DomainError('not_found', 'NOT_FUOND', 'There is none.')
  // @ts-expect-error the code is missing
  const missing = new DomainError('not_found', 'There is none.')
  expect([good, mistyped, missing]).toHaveLength(3)
})

test('a code that only a newer service knows reaches the caller', () => {
  const sent = toStatus(new DomainError('conflict', 'EMAIL_TAKEN', 'It is taken.'))
  sent.metadata?.set('error-reason', 'CODE_OF_TOMORROW')
  const received = fromStatus(Object.assign(new Error('It is taken.'), sent) as ServiceError)
  expect(received).toMatchObject({ kind: 'conflict', reason: 'CODE_OF_TOMORROW', message: 'It is taken.' })
})
