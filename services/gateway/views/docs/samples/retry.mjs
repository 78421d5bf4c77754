const BASE = '{baseUrl}'
const ATTEMPTS = 5

/** Sends one request, and repeats it while that is safe. `key` must be the same for every attempt. */
export async function post(path, body, key, token = process.env.COFRE_TOKEN) {
  for (let attempt = 1; ; attempt++) {
    const response = await send(path, body, key, token).catch(() => undefined)
    if (response && !(await mayRepeat(response))) return response
    if (attempt === ATTEMPTS) throw new Error('no final answer: read the charge before you try again')
    const seconds = Number(response?.headers.get('retry-after')) || 2 ** (attempt - 1)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
}

function send(path, body, key, token) {
  return fetch(`${BASE}${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(40_000),
  })
}

async function mayRepeat(response) {
  if (response.ok) return false
  const { code, retryable } = await response.clone().json()
  return retryable || code === 'OUTCOME_UNKNOWN' || code === 'INTERNAL'
}
