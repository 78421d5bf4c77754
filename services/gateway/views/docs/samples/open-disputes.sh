curl -sS "{baseUrl}/api/v2/disputes?status=NEEDS_RESPONSE" -H "Authorization: Bearer $COFRE_TOKEN"
