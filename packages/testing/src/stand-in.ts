import { status, type ServiceDefinition } from '@grpc/grpc-js'
import { serve, type Answer, type Rpcs, type ServedService } from '@cofre/platform/grpc/server'
import type { Caller } from '@cofre/platform/service/callers'
import type { Logger } from '@cofre/platform/telemetry/log'

type Answers<Definition> = { [Name in keyof Definition]?: Answer<Definition[Name]> }

/**
 * Serves some RPCs of a service of ours in its place, with the messages of its contract. `callers` are the certificate
 * names that may call; an RPC without an answer is UNIMPLEMENTED.
 */
export function standIn<Definition extends ServiceDefinition>(
  log: Logger,
  definition: Definition,
  answers: Answers<Definition>,
  callers: readonly Caller[] = ['gateway', 'orders', 'network-token', 'notifier', 'cofrectl'],
): ServedService {
  const rows = Object.keys(definition).map((name) => {
    const answer = answers[name as keyof Definition] as ((request: unknown) => Promise<unknown>) | undefined
    return [name, [callers, (_deps: unknown, request: unknown) => (answer ?? unimplemented)(request)]]
  })
  return serve({ log }, definition, Object.fromEntries(rows) as Rpcs<{ log: Logger }, Definition>)
}

function unimplemented(): Promise<never> {
  return Promise.reject(
    Object.assign(new Error('this stand-in has no such RPC'), { code: status.UNIMPLEMENTED }),
  )
}
