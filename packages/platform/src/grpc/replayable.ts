/** The answer of a repeatable RPC. `replayed`: the answer was kept for an earlier use of the Idempotency-Key. */
export type Replayable<Response> = { response: Response; replayed: boolean }

/** Wraps the answer of any RPC. The table of RPCs refuses messages that have a field `replayed` of their own. */
export function toReplayable<Response>(answer: Response | Replayable<Response>): Replayable<Response> {
  return isReplayable(answer) ? answer : { response: answer, replayed: false }
}

function isReplayable<Response>(answer: Response | Replayable<Response>): answer is Replayable<Response> {
  return typeof answer === 'object' && answer !== null && 'replayed' in answer
}
