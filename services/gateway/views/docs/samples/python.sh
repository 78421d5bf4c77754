pip install openapi-python-client==0.29.1
openapi-python-client generate --url {baseUrl}/openapi.json --meta none --output-path cofre
