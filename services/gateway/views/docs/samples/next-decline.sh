curl -sS "$SANDBOX/acquirer/next" \
  -H 'Content-Type: application/json' \
  -d '{"returnCode": "51"}'
