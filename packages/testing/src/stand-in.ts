import { status, type ServiceDefinition } from '@grpc/grpc-js'
import { serve, type Answer, type Rpcs, type ServedService } from '@cofre/platform/grpc/server'
import { SERVICE_NAMES, type Caller } from '@cofre/platform/service/services'
import type { Logger } from '@cofre/platform/telemetry/log'

type Answers<Definition> = { [Name in keyof Definition]?: Answer<Definition[Name]> }

/** Runs before each answer of a stand-in. A test records the request, or refuses it. */
export type OnCall = (rpc: string, request: unknown) => Promise<void> | void

export type StandInOptions = { onCall?: OnCall | undefined; callers?: readonly Caller[] }

const CALLERS: readonly Caller[] = [...SERVICE_NAMES, 'cofrectl']

/**
 * Serves some RPCs of a service of ours in its place, with the messages of its contract. Unless `callers` says
 * otherwise, every service of ours may call. An RPC without an answer is UNIMPLEMENTED.
 */
export function standIn<Definition extends ServiceDefinition>(
  log: Logger,
  definition: Definition,
  answers: Answers<Definition>,
  { onCall, callers = CALLERS }: StandInOptions = {},
): ServedService {
  const rows = Object.keys(definition).map((name) => {
    const answer = answers[name as keyof Definition] as ((request: unknown) => Promise<unknown>) | undefined
    const handle = async (_deps: unknown, request: unknown) => {
      await onCall?.(name, request)
      return (answer ?? unimplemented)(request)
    }
    return [name, [callers, handle]]
  })
  return serve({ log }, definition, Object.fromEntries(rows) as Rpcs<{ log: Logger }, Definition>)
}

function unimplemented(): Promise<never> {
  return Promise.reject(
    Object.assign(new Error('this stand-in has no such RPC'), { code: status.UNIMPLEMENTED }),
  )
}
