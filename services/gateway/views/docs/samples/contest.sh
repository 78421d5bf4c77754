curl -sS "{baseUrl}/api/v2/disputes/$DISPUTE/evidence" \
  -H "Authorization: Bearer $COFRE_TOKEN" \
  -H "Idempotency-Key: evidence-$DISPUTE-$STAGE" \
  -F 'reason=O titular assinou a entrega.' \
  -F "file=@$EVIDENCE;type=application/pdf"
