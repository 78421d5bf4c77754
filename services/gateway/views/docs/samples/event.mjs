/** `webhook` is the library's: new Webhook(secret). Uses `verify` from above for a message without a body. */
export function eventOf(webhook, secret, headers, body) {
  if (body.length > 0) return webhook.verify(body, headers)
  if (!verify(secret, headers, body)) throw new Error('The signature is wrong.')
  return { id: headers['webhook-id'], type: headers['webhook-event'] }
}
