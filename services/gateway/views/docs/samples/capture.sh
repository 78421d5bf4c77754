curl -sS "{baseUrl}/api/v2/charges/$CHARGE/capture" \
  -H "Authorization: Bearer $COFRE_TOKEN" \
  -H 'Content-Type: application/json' \
  -H "Idempotency-Key: capture-$CHARGE" \
  -d '{"amount": 6000}'
