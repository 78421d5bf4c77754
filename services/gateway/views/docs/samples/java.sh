mvn dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory=.
java -jar openapi-generator-cli-7.25.0.jar generate -i {baseUrl}/openapi.json -o client \
  -g java --library native -p containerDefaultToNull=true,useSingleRequestParameter=true \
  --parameter-name-mappings wait=waitSeconds
