import { notFound } from '@cofre/platform/errors'
import type { DeleteListenerResponse, ListenerRequest } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import * as store from '../listeners/listener-store'

export async function deleteListener(
  { pool }: Deps,
  { sellerId, listenerId }: ListenerRequest,
): Promise<DeleteListenerResponse> {
  if (!(await store.deleteListener(pool, sellerId, listenerId))) throw notFound('There is no such listener.')
  return {}
}
