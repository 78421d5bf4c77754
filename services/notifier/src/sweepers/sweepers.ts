import type { Running } from '@cofre/platform/service/run-service'
import { consumeEvents } from '../consumers/consume-events'
import type { Deps } from '../deps'
import { startDeliverer } from './deliver'
import { startForgetting } from './forget'
import { startMending } from './mend'
import { startRetiring } from './retire'

/** Starts the background loops; each may run in any number of replicas. */
export async function startSweepers(deps: Deps): Promise<Running[]> {
  const deliverer = startDeliverer(deps)
  const consumers = await consumeEvents(deps, deliverer)
  // The deliverer stops last, so that it also finishes attempts that a stopping consumer begins.
  const stop = async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop()))
    await deliverer.stop()
  }
  return [{ stop }, startMending(deps), startForgetting(deps), startRetiring(deps)]
}
