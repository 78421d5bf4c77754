def event_of(webhook, secret: str, headers: dict[str, str], body: bytes) -> dict:
    """`webhook` is the library's: Webhook(secret). Uses `verify` from above for a message without a body."""
    if body:
        return webhook.verify(body, headers)
    if not verify(secret, headers, body):
        raise ValueError("The signature is wrong.")
    return {"id": headers["webhook-id"], "type": headers["webhook-event"]}
