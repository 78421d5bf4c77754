curl -sS "{baseUrl}/api/v2/sellers/$COFRE_SELLER/cards/tokens/network" \
  -H "Authorization: Bearer $COFRE_TOKEN" \
  -H 'Content-Type: application/json' \
  -H "Idempotency-Key: network-token-$(date +%s)" \
  -d '{
    "cardNumber": "4111111111111111",
    "holder": {"name": "ANA SOUZA", "document": "12345678909"},
    "expiration": {"year": 2049, "month": 12},
    "cvv": "123",
    "notificationUrl": "https://example.com/hooks/network-tokens"
  }'
