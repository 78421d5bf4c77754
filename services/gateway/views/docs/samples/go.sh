mkdir -p cofre
go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 \
  -generate types,client,skip-prune -package cofre -o cofre/cofre.go {baseUrl}/openapi.json
