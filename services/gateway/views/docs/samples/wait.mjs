const BASE = '{baseUrl}'

/** Reads a charge until nothing of it is pending. */
export async function settled(id, token = process.env.COFRE_TOKEN) {
  for (;;) {
    const response = await fetch(`${BASE}/api/v2/charges/${id}`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    if (!response.ok) throw new Error(`the charge could not be read: ${response.status}`)
    const charge = await response.json()
    if (charge.status !== 'PENDING' && charge.pendingOperations.length === 0) return charge
    const seconds = Number(response.headers.get('retry-after')) || 2
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
}
