curl -sS "{baseUrl}/api/v2/charges/$CHARGE/refund" \
  -H "Authorization: Bearer $COFRE_TOKEN" \
  -H 'Content-Type: application/json' \
  -H "Idempotency-Key: refund-$CHARGE-1" \
  -d '{"amount": 2500, "reason": "one item returned"}'
