export type Page = { status: number; url: string; body: string }

/** A browser without scripts, of one holder of a voucher card. It opens no page of another origin. */
export type HolderBrowser = {
  /** Follows redirects, and stops at the first address of another origin. */
  open(url: string, method?: string, body?: string): Promise<Page>
  /** Sends the form whose action ends with `action`, with its hidden fields and `fields`. */
  submit(page: Page, action: string, fields?: Record<string, string>): Promise<Page>
}

type Cookie = { name: string; value: string; path: string }

export function openHolderBrowser(origin: string): HolderBrowser {
  const cookies = new Map<string, Cookie>()
  const cookieFor = (url: string) =>
    [...cookies.values()]
      .filter(({ path }) => new URL(url).pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
  const open: HolderBrowser['open'] = async (url, method = 'GET', body) => {
    const headers = new Headers({ accept: 'text/html', cookie: cookieFor(url) })
    if (body !== undefined) headers.set('content-type', 'application/x-www-form-urlencoded')
    const answer = await fetch(url, { method, headers, redirect: 'manual', body: body ?? null })
    for (const cookie of answer.headers.getSetCookie().map(cookieIn)) {
      cookies.set(`${cookie.name} ${cookie.path}`, cookie)
    }
    const text = await answer.text()
    const location = answer.headers.get('location')
    if (location === null) return { status: answer.status, url, body: text }
    const next = new URL(location, url).href
    return next.startsWith(origin) ? open(next) : { status: answer.status, url: next, body: '' }
  }
  return {
    open,
    submit: (page, action, fields = {}) => {
      const { method, path, hidden } = formIn(page, action)
      const text = new URLSearchParams({ ...hidden, ...fields }).toString()
      const url = new URL(path, page.url).href
      return method === 'get' ? open(`${url}?${text}`) : open(url, 'POST', text)
    },
  }
}

function cookieIn(line: string): Cookie {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  const path = /path=([^;]*)/i.exec(line)?.[1] ?? '/'
  return { name, value, path }
}

function formIn({ body }: Page, action: string) {
  const forms = body.matchAll(/<form method="(\w+)" action="([^"]+)"[^>]*>(.*?)<\/form>/gs)
  const found = [...forms].find(([, , path = '']) => path.endsWith(action))
  if (!found) throw new Error(`the page has no form to ${action}`)
  const [, method = '', path = '', inner = ''] = found
  const hidden = [...inner.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
  return {
    method,
    path,
    hidden: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])),
  }
}

/** A person of the sandbox's identity provider, and the card to pick where there are several. */
export type Holder = { email: string; card?: string }

/** Signs in, picks a card and authorizes. Returns the address that the holder is sent back to. */
export async function authorizeCard(
  browser: HolderBrowser,
  authUrl: string,
  { email, card }: Holder,
): Promise<string> {
  let page = await browser.open(authUrl)
  page = await browser.submit(page, '/sign-in', { email, password: 'sandbox' })
  if (card !== undefined) page = await browser.submit(page, '', { card })
  return (await browser.submit(page, '/authorize')).url
}

/** Refuses on the first page. Returns the address that the holder is sent back to. */
export async function refuseCard(browser: HolderBrowser, authUrl: string): Promise<string> {
  return (await browser.submit(await browser.open(authUrl), '/refuse')).url
}
