curl -sS -i "{baseUrl}/api/v2/orders/credit-card/charge" \
  -H "Authorization: Bearer $COFRE_TOKEN" \
  -H 'Content-Type: application/json' \
  -H "Idempotency-Key: first-$(date +%s)" \
  -d '{
    "orderReference": "A-1",
    "amount": 10000,
    "installments": 1,
    "customer": {"name": "Ana Souza", "document": "12345678909"},
    "card": {
      "cardNumber": "4111111111111111",
      "holder": {"name": "ANA SOUZA", "document": "12345678909"},
      "expiration": {"year": 2049, "month": 12},
      "cvv": "123"
    }
  }'
