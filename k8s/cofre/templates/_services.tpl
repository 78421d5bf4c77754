{{/*
The services and whom each calls: the table of calls from which addresses and network policies are made. It is no
matter of settings: files/services.yaml is made from the table of services of the product. `key` is what the service
seals under: the setting that names the file, and the entry of its Secret.
*/}}
{{- define "cofre.table" -}}
{{ .Files.Get "files/services.yaml" }}
{{- end -}}

{{/*
The services, each with its row of the table and its values over the defaults. With gateway.split the gateway's pages are
a component of their own, `gateway-pages`: another Deployment of the gateway's image, which administers nothing.
*/}}
{{- define "cofre.services" -}}
{{- $services := dict -}}
{{- $table := include "cofre.table" . | fromYaml -}}
{{- if .Values.gateway.split -}}
{{- $_ := set $table "gateway-pages" (set (omit $table.gateway "administered") "serves" "pages") -}}
{{- $_ := set $table.gateway "serves" "api" -}}
{{- else if hasKey .Values.services "gateway-pages" -}}
{{- fail "services.gateway-pages: it exists only with gateway.split" -}}
{{- end -}}
{{- range $name, $_ := .Values.services -}}
{{- if not (hasKey $table $name) }}{{ fail (printf "services.%s: there is no such service" $name) }}{{ end -}}
{{- end -}}
{{- range $name, $row := $table -}}
{{- $values := deepCopy $.Values.defaults -}}
{{- range list (include "cofre.serviceOf" (dict "name" $name)) $name | uniq -}}
{{- $values = mergeOverwrite $values (deepCopy (default dict (get $.Values.services .))) -}}
{{- end -}}
{{- $_ := set $services $name (dict "row" $row "values" $values) -}}
{{- end -}}
{{- toYaml $services -}}
{{- end -}}

{{- define "cofre.image" -}}
{{- $image := .values.image -}}
{{- $repository := default (printf "cofre/%s" (include "cofre.serviceOf" .)) $image.repository -}}
{{- with .root.Values.image.registry }}{{ printf "%s/" (trimSuffix "/" .) }}{{ end -}}
{{- $repository -}}
{{- if $image.digest -}}
{{- printf "@%s" $image.digest -}}
{{- else -}}
{{- printf ":%s" (coalesce $image.tag .root.Values.image.tag .root.Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/* The Secret that the deployment brings for a service: `database-url` and the key under which it seals. */}}
{{- define "cofre.secretName" -}}
{{- default (include "cofre.name" (dict "root" .root "name" (include "cofre.serviceOf" .))) .values.secret -}}
{{- end -}}

{{/*
How many proxies before the gateway write X-Forwarded-For. By itself one where the world comes by an Ingress or HTTPRoute, else
none: a Service that is reached past them takes whatever address a caller writes.
*/}}
{{- define "cofre.trustedProxies" -}}
{{- $ingress := .Values.ingress -}}
{{- $direct := ne $ingress.service.type "ClusterIP" -}}
{{- if kindIs "invalid" $ingress.trustedProxies -}}
{{- ternary "1" "0" (and (ne $ingress.kind "None") (not $direct)) -}}
{{- else if and $direct (gt (int $ingress.trustedProxies) 0) -}}
{{- fail (printf "ingress.trustedProxies must be 0 with ingress.service.type %s: callers come past the proxies and name their own address" $ingress.service.type) -}}
{{- else -}}
{{- int $ingress.trustedProxies -}}
{{- end -}}
{{- end -}}

{{/* Settings of a service that are no secrets. Takes root, name, service. */}}
{{- define "cofre.settings" -}}
{{- $root := .root -}}
{{- $row := .service.row -}}
{{- $settings := dict
  "GRPC_PORT" "50051"
  "TLS_CA_FILE" "/etc/cofre/tls/ca.crt"
  "TLS_CERT_FILE" "/etc/cofre/tls/tls.crt"
  "TLS_KEY_FILE" "/etc/cofre/tls/tls.key" -}}
{{- range $row.calls -}}
{{- $_ := set $settings (printf "%s_ADDRESS" (upper . | replace "-" "_")) (include "cofre.grpcAddress" (dict "root" $root "name" .)) -}}
{{- end -}}
{{- with $row.key }}{{ $_ := set $settings .setting (printf "/etc/cofre/keys/%s" .entry) }}{{ end -}}
{{- with $row.fingerprints }}{{ $_ := set $settings .setting (printf "/etc/cofre/keys/%s" .entry) }}{{ end -}}
{{- if $row.baseUrl }}{{ $_ := set $settings "BASE_URL" $root.Values.baseUrl }}{{ end -}}
{{- if $row.http -}}
{{- $_ := set $settings "HTTP_PORT" "8080" -}}
{{- with $row.serves }}{{ $_ := set $settings "SERVE" . }}{{ end -}}
{{- $_ := set $settings "TRUSTED_PROXIES" (include "cofre.trustedProxies" $root) -}}
{{- end -}}
{{- if and $row.pushes $root.Values.networkTokens.pushes -}}
{{- $_ := set $settings "CALLBACK_URL" (printf "%s/partners/token-service/events" $root.Values.baseUrl) -}}
{{- $_ := set $settings "TOKEN_SERVICE_SECRET_FILE" "/etc/cofre/keys/token-service-secret" -}}
{{- end -}}
{{- if and $row.slips $root.Values.boletos.notices -}}
{{- $_ := set $settings "BANK_SECRET_FILE" "/etc/cofre/keys/bank-secret" -}}
{{- end -}}
{{- if and $row.http $root.Values.disputes.calls -}}
{{- $_ := set $settings "ACQUIRER_WEBHOOK_SECRET_FILE" "/etc/cofre/keys/acquirer-webhook-secret" -}}
{{- end -}}
{{- if $row.partners }}{{ $_ := set $settings "PARTNERS_FILE" "/etc/cofre/partners.json" }}{{ end -}}
{{- if and $row.receivers $root.Values.receivers.authority.configMap -}}
{{- $_ := set $settings "NOTIFICATION_CA_FILE" "/etc/cofre/authorities/receivers.crt" -}}
{{- end -}}
{{- if and $row.mails $root.Values.mail.from -}}
{{- $_ := set $settings "MAIL_FROM" $root.Values.mail.from -}}
{{- if $root.Values.mail.authority.configMap }}{{ $_ := set $settings "SMTP_CA_FILE" "/etc/cofre/authorities/mail.crt" }}{{ end -}}
{{- end -}}
{{- if $row.events }}{{ $settings = merge $settings (include "cofre.eventLogSettings" $root | fromYaml) }}{{ end -}}
{{- if and $row.history $root.Values.mongodb.secret $root.Values.mongodb.authority.configMap -}}
{{- $_ := set $settings "MONGODB_CA_FILE" "/etc/cofre/authorities/mongodb.crt" -}}
{{- end -}}
{{- if $root.Values.metrics.enabled }}{{ $_ := set $settings "METRICS_PORT" "9464" }}{{ end -}}
{{- with $root.Values.tracing -}}
{{- if .endpoint -}}
{{- $_ := set $settings "OTEL_EXPORTER_OTLP_ENDPOINT" .endpoint -}}
{{- $_ := set $settings "OTEL_TRACES_SAMPLER_ARG" (toString .ratio) -}}
{{- end -}}
{{- end -}}
{{- range $key, $value := .service.values.settings -}}
{{- if hasKey $settings $key }}{{ fail (printf "services: %s is set by the chart" $key) }}{{ end -}}
{{- if kindIs "float64" $value }}{{ $value = int64 $value }}{{ end -}}
{{- $_ := set $settings $key (toString $value) -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end -}}

{{- define "cofre.eventLogSettings" -}}
{{- if eq .Values.eventLog.kind "kafka" -}}
{{- $kafka := .Values.eventLog.kafka -}}
EVENT_LOG_URL: {{ printf "kafka://%s" (join "," $kafka.brokers) | quote }}
KAFKA_PARTITIONS: {{ int $kafka.partitions | quote }}
KAFKA_REPLICATION: {{ int $kafka.replication | quote }}
KAFKA_RETENTION_HOURS: {{ int $kafka.retentionHours | quote }}
KAFKA_TLS: {{ $kafka.tls.enabled | quote }}
{{- if and $kafka.tls.enabled $kafka.tls.authority.configMap }}
KAFKA_TLS_CA_FILE: /etc/cofre/authorities/kafka.crt
{{- end }}
{{- if and $kafka.tls.enabled $kafka.tls.clientSecret }}
KAFKA_TLS_CERT_FILE: /etc/cofre/kafka/tls.crt
KAFKA_TLS_KEY_FILE: /etc/cofre/kafka/tls.key
{{- end }}
{{- if $kafka.sasl.mechanism }}
KAFKA_SASL_MECHANISM: {{ $kafka.sasl.mechanism }}
KAFKA_SASL_USERNAME: {{ $kafka.sasl.username | quote }}
KAFKA_SASL_PASSWORD_FILE: /etc/cofre/kafka/password
{{- end }}
{{- else -}}
{}
{{- end -}}
{{- end -}}

{{/*
The vault's PARTNERS_FILE: whom it calls. What each may be sent is no matter of settings:
files/partners.json is made from the partners of the product.
*/}}
{{- define "cofre.partners" -}}
{{- $allowed := .Files.Get "files/partners.json" | fromJson -}}
{{- $partners := dict -}}
{{- range $name, $partner := .Values.partners -}}
{{- if not (hasKey $allowed $name) }}{{ fail (printf "partners.%s: there is no such partner" $name) }}{{ end -}}
{{- if $partner.url -}}
{{- $setting := set (get $allowed $name) "url" $partner.url -}}
{{- if $partner.authority.configMap }}{{ $_ := set $setting "caFile" (printf "/etc/cofre/authorities/%s.crt" $name) }}{{ end -}}
{{- range $part := list "oauth" "files" -}}
{{- with get $partner $part }}{{ $_ := set $setting $part (mergeOverwrite (get $setting $part | default dict) .) }}{{ end -}}
{{- end -}}
{{- $_ := set $partners $name $setting -}}
{{- end -}}
{{- end -}}
{{- toPrettyJson $partners -}}
{{- end -}}
