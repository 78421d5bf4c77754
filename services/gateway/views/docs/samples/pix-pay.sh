curl -sS "$SANDBOX/pix/pay" -H 'Content-Type: application/json' -d "{\"txid\": \"$TXID\"}"
