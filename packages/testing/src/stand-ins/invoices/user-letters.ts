import type { SendPasswordLinkRequest } from '@cofre/proto/invoices/v1/user_letters'

/** Keeps the links that the gateway has mailed. */
export function createUserLetters() {
  const links: SendPasswordLinkRequest[] = []
  const answers = {
    sendPasswordLink: async (request: SendPasswordLinkRequest) => {
      links.push(request)
      return {}
    },
  }
  return { answers, links }
}
