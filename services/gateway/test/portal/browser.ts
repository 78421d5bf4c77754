/** A page in a test. */
export type Seen = { status: number; headers: Headers; text: string; location: string | undefined }

export type Browser = {
  cookies: Map<string, string>
  get(path: string): Promise<Seen>
  /** Sends the fields with the token of the form on the page of `path`, as its form would. */
  submit(path: string, fields: Record<string, string | string[]>, page?: string): Promise<Seen>
  /** Sends just these fields and headers. */
  post(
    path: string,
    fields: Record<string, string | string[]>,
    headers?: Record<string, string>,
  ): Promise<Seen>
  signIn(email: string, password: string): Promise<Seen>
}

/** Opens a browser that keeps cookies and follows no redirect. It has no scripts, as the portal needs none. */
export function openBrowser(url: string): Browser {
  const cookies = new Map<string, string>()
  const send = async (path: string, init: RequestInit = {}): Promise<Seen> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(cookie ? { cookie } : {}), ...(init.headers as Record<string, string>) }
    const answer = await fetch(url + path, { ...init, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) keepCookie(cookies, line)
    const location = answer.headers.get('location') ?? undefined
    return { status: answer.status, headers: answer.headers, text: await answer.text(), location }
  }
  const post: Browser['post'] = (path, fields, headers = {}) =>
    send(path, { method: 'POST', body: encode(fields), headers })
  const submit: Browser['submit'] = async (path, fields, page = path) => {
    const { text } = await send(page)
    return post(path, { ...fields, ...hiddenFields(text) })
  }
  return {
    cookies,
    get: (path) => send(path),
    submit,
    post,
    signIn: (email, password) => submit('/portal/login', { email, password }),
  }
}

/** Returns the fields that the forms of a page send without being typed. */
export function hiddenFields(page: string): Record<string, string> {
  const fields = [...page.matchAll(/name="(formToken|once|seen)" value="([^"]*)"/g)]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
}

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';')
  const at = pair.indexOf('=')
  const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
  if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name)
  else cookies.set(name, value)
}

function encode(fields: Record<string, string | string[]>): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) form.append(name, one)
  }
  return form
}

/** Returns the visible text: no tags, entities as characters. */
export function readable(html: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ')
}
