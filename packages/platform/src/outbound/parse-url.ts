/**
 * Parses a URL as WHATWG does; undefined when it can't. It replaces `URL.canParse`: in Node 20, once that function has
 * run hot, it refuses any URL with a Latin letter beyond ASCII (`https://ação.com.br/`).
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
