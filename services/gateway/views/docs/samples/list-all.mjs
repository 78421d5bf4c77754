const BASE = '{baseUrl}'

/** Every charge, newest first. */
export async function* listCharges(token = process.env.COFRE_TOKEN) {
  let url = `${BASE}/api/v2/charges?size=100`
  while (url) {
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } })
    if (!response.ok) throw new Error(`charges could not be listed: ${response.status}`)
    yield* (await response.json()).content
    url = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  }
}
