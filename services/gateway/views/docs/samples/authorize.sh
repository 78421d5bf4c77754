curl -sS "{baseUrl}/api/v2/orders/credit-card/authorize" \
  -H "Authorization: Bearer $COFRE_TOKEN" \
  -H 'Content-Type: application/json' \
  -H "Idempotency-Key: order-$(date +%s)" \
  -d '{
    "orderReference": "A-2",
    "amount": 10000,
    "customer": {"name": "Ana Souza", "document": "12345678909"},
    "payments": [{
      "paymentMethod": "CREDIT_CARD",
      "amount": 10000,
      "installments": 3,
      "card": {
        "cardNumber": "4111111111111111",
        "holder": {"name": "ANA SOUZA", "document": "12345678909"},
        "expiration": {"year": 2049, "month": 12}
      }
    }]
  }'
