npx @hey-api/openapi-ts@0.95.0 -i {baseUrl}/openapi.json -o cofre
