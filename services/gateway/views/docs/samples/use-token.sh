curl -sS "{baseUrl}/api/v2/charges?size=1" -H "Authorization: Bearer $COFRE_TOKEN"
