import { z } from 'zod'

/** A mail server. Without `user`, the mailer does not sign in. */
export type MailServer = {
  host: string
  port: number
  /** TLS from the first byte. */
  isSecure: boolean
  /** Nothing is sent without STARTTLS. Not required of a server on the same machine. */
  mustUpgrade: boolean
  user: string | undefined
  password: string
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/
const SUBMISSION_PORT = 587
const SUBMISSIONS_PORT = 465

/** `smtp://user:password@host:port` or `smtps://…`; user and password are URL-encoded. */
export const mailServerSetting = z.url({ protocol: /^smtps?$/ }).transform((text, context): MailServer => {
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  const isSecure = protocol === 'smtps:'
  try {
    if (host === '' || `${pathname}${search}${hash}`.replace('/', '') !== '')
      throw new Error('not an address')
    return {
      host,
      port: port === '' ? (isSecure ? SUBMISSIONS_PORT : SUBMISSION_PORT) : Number(port),
      isSecure,
      mustUpgrade: !isSecure && !LOOPBACK.test(host),
      user: username === '' ? undefined : decodeURIComponent(username),
      password: decodeURIComponent(password),
    }
  } catch {
    context.addIssue({ code: 'custom', message: 'must be smtp://user:password@host:port or smtps://…' })
    return z.NEVER
  }
})

export type MailAddress = { name: string; address: string }

const ADDRESS = z.email().max(255)

/** `billing@example.com` or `Example <billing@example.com>`. */
export const mailAddressSetting = z.string().transform((text, context): MailAddress => {
  const [, name = '', address = ''] = /^\s*(?:"?([^"<>\p{Cc}]*?)"?\s*<)?([^\s<>]+)>?\s*$/u.exec(text) ?? []
  if (ADDRESS.safeParse(address).success) return { name, address }
  context.addIssue({ code: 'custom', message: 'must be an e-mail address, or a name and <address>' })
  return z.NEVER
})
