curl -sS "{baseUrl}/api/v2/sellers/$COFRE_SELLER/orders/pix" \
  -H "Authorization: Bearer $COFRE_TOKEN" \
  -H 'Content-Type: application/json' \
  -H "Idempotency-Key: pix-$ORDER" \
  -d "{\"orderReference\": \"$ORDER\", \"amount\": 4200, \"expiresInSeconds\": 900, \"customer\": {\"name\": \"Ana Souza\", \"document\": \"12345678909\"}}"
