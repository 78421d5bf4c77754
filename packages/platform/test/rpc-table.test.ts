import {
  IdempotencyService,
  RequestState,
  type FindRequestRequest,
  type KeptRequest,
} from '@cofre/proto/idempotency/v1/idempotency'
import { serve, type Rpcs } from '../src/grpc/server'
import { createLog } from '../src/telemetry/log'

type Deps = { log: ReturnType<typeof createLog> }
type Table = Rpcs<Deps, typeof IdempotencyService>

const kept: KeptRequest = {
  method: 'POST',
  path: '/',
  state: RequestState.DONE,
  response: Buffer.alloc(0),
  createdAt: 1,
  completedAt: 1,
  isRepeated: false,
}

// The compiler runs this test: `npm run lint` fails when a line below a @ts-expect-error does compile.
test('a table of RPCs compiles when it keeps the contract, and only then', () => {
  const whole: Table = { findRequest: [['gateway'], async () => kept] }
  // @ts-expect-error an RPC is missing
  const missing: Table = {}
  // @ts-expect-error the answer is another message
  const wrongAnswer: Table = { findRequest: [['gateway'], async () => 'found'] }
  const wrongRequest: Table = {
    // @ts-expect-error the request is another message
    findRequest: [['gateway'], async (_deps: Deps, _request: FindRequestRequest & { more: string }) => kept],
  }
  // @ts-expect-error the contract names no such RPC
  const unknownRpc: Table = { ...whole, forgetRequest: [['gateway'], async () => kept] } satisfies Table
  // @ts-expect-error no program of ours has this name
  const unknownCaller: Table = { findRequest: [['gatway'], async () => kept] }

  const deps = { log: createLog('test', 'silent') }
  expect(serve(deps, IdempotencyService, whole).callers).toEqual({ findRequest: ['gateway'] })
  expect([missing, wrongAnswer, wrongRequest, unknownRpc, unknownCaller]).toHaveLength(5)
})
