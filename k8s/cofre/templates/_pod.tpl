{{- define "cofre.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "cofre.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* What every pod says beside its containers. Takes root, name, account (the ServiceAccount's name). */}}
{{- define "cofre.podBase" -}}
serviceAccountName: {{ .account }}
automountServiceAccountToken: false
# The variables of service links (`…_PORT=tcp://…`) could be taken for settings.
enableServiceLinks: false
securityContext:
  {{- include "cofre.podSecurity" . | nindent 2 }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
# Names of services are whole: they are not to be tried under every search domain first.
dnsConfig:
  options:
    - name: ndots
      value: "2"
{{- end -}}

{{- define "cofre.placement" -}}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* An environment variable out of a Secret. Takes variable, secret, key. */}}
{{- define "cofre.secretVariable" -}}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
{{- end -}}

{{- define "cofre.databaseVariable" -}}
{{- include "cofre.secretVariable" (dict "variable" "DATABASE_URL" "secret" (include "cofre.secretName" .) "key" "database-url") -}}
{{- end -}}

{{/* Settings that are secrets: never in a ConfigMap. Takes root, name, service. */}}
{{- define "cofre.secretVariables" -}}
{{ include "cofre.databaseVariable" (dict "root" .root "name" .name "values" .service.values) }}
{{- $eventLog := .root.Values.eventLog }}
{{- if and .service.row.events (eq $eventLog.kind "postgres") }}
{{ include "cofre.secretVariable" (dict "variable" "EVENT_LOG_URL" "secret" $eventLog.postgres.secret "key" "event-log-url") }}
{{- end }}
{{- if and .service.row.history .root.Values.mongodb.secret }}
{{ include "cofre.secretVariable" (dict "variable" "MONGODB_URL" "secret" .root.Values.mongodb.secret "key" "mongodb-url") }}
{{- end }}
{{- if and .service.row.mails .root.Values.mail.from }}
{{ include "cofre.secretVariable" (dict "variable" "SMTP_URL" "secret" (include "cofre.secretName" (dict "root" .root "name" .name "values" .service.values)) "key" "smtp-url") }}
{{- end }}
{{- end -}}

{{/* One part of the volume /etc/cofre: entries of a Secret or ConfigMap under a folder. Takes kind, name, entries (key: path), optional. */}}
{{- define "cofre.source" -}}
- {{ .kind }}:
    name: {{ .name }}
    items:
      {{- range $key, $path := .entries }}
      - key: {{ $key }}
        path: {{ $path }}
      {{- end }}
    {{- if .optional }}
    optional: true
    {{- end }}
{{- end -}}

{{- define "cofre.certificateSource" -}}
{{- $entries := dict "ca.crt" "tls/ca.crt" "tls.crt" "tls/tls.crt" "tls.key" "tls/tls.key" -}}
{{- include "cofre.source" (dict "kind" "secret" "name" (printf "%s-tls" (include "cofre.name" (dict "root" .root "name" (include "cofre.serviceOf" .)))) "entries" $entries) -}}
{{- end -}}

{{/* An authority's certificate out of a ConfigMap. Takes name, authority. */}}
{{- define "cofre.authoritySource" -}}
{{- $entries := dict .authority.key (printf "authorities/%s.crt" .name) -}}
{{- include "cofre.source" (dict "kind" "configMap" "name" .authority.configMap "entries" $entries) -}}
{{- end -}}

{{- define "cofre.databaseAuthority" -}}
{{- if .database.authority.configMap -}}
{{ include "cofre.authoritySource" (dict "name" "database" "authority" .database.authority) }}
{{- end -}}
{{- end -}}

{{/* Files of a service. Takes root, name, service. */}}
{{- define "cofre.sources" -}}
{{- $root := .root -}}
{{- $row := .service.row -}}
{{- $it := dict "root" .root "name" .name "values" .service.values -}}
{{ include "cofre.certificateSource" $it }}
{{- with include "cofre.databaseAuthority" .service.values }}
{{ . }}
{{- end }}
{{- with $row.key }}
{{ include "cofre.source" (dict "kind" "secret" "name" (include "cofre.secretName" $it) "entries" (dict .entry (printf "keys/%s" .entry)) "optional" .optional) }}
{{- end }}
{{- with $row.fingerprints }}
{{ include "cofre.source" (dict "kind" "secret" "name" (include "cofre.secretName" $it) "entries" (dict .entry (printf "keys/%s" .entry))) }}
{{- end }}
{{- if and $row.pushes $root.Values.networkTokens.pushes }}
{{ include "cofre.source" (dict "kind" "secret" "name" (include "cofre.secretName" $it) "entries" (dict "token-service-secret" "keys/token-service-secret")) }}
{{- end }}
{{- if and $row.slips $root.Values.boletos.notices }}
{{ include "cofre.source" (dict "kind" "secret" "name" (include "cofre.secretName" $it) "entries" (dict "bank-secret" "keys/bank-secret")) }}
{{- end }}
{{- if and $row.http $root.Values.disputes.calls }}
{{ include "cofre.source" (dict "kind" "secret" "name" (include "cofre.secretName" $it) "entries" (dict "acquirer-webhook-secret" "keys/acquirer-webhook-secret")) }}
{{- end }}
{{- if $row.partners }}
{{ include "cofre.source" (dict "kind" "configMap" "name" (printf "%s-partners" (include "cofre.name" $it)) "entries" (dict "partners.json" "partners.json")) }}
{{- range $name, $partner := $root.Values.partners }}
{{- if and $partner.url $partner.authority.configMap }}
{{ include "cofre.authoritySource" (dict "name" $name "authority" $partner.authority) }}
{{- end }}
{{- end }}
{{- end }}
{{- if and $row.receivers $root.Values.receivers.authority.configMap }}
{{ include "cofre.authoritySource" (dict "name" "receivers" "authority" $root.Values.receivers.authority) }}
{{- end }}
{{- if and $row.mails $root.Values.mail.from $root.Values.mail.authority.configMap }}
{{ include "cofre.authoritySource" (dict "name" "mail" "authority" $root.Values.mail.authority) }}
{{- end }}
{{- if and $row.history $root.Values.mongodb.secret $root.Values.mongodb.authority.configMap }}
{{ include "cofre.authoritySource" (dict "name" "mongodb" "authority" $root.Values.mongodb.authority) }}
{{- end }}
{{- if and $row.events (eq $root.Values.eventLog.kind "kafka") }}
{{- with $root.Values.eventLog.kafka }}
{{- if and .tls.enabled .tls.authority.configMap }}
{{ include "cofre.authoritySource" (dict "name" "kafka" "authority" .tls.authority) }}
{{- end }}
{{- if and .tls.enabled .tls.clientSecret }}
{{ include "cofre.source" (dict "kind" "secret" "name" .tls.clientSecret "entries" (dict "tls.crt" "kafka/tls.crt" "tls.key" "kafka/tls.key")) }}
{{- end }}
{{- if .sasl.mechanism }}
{{ include "cofre.source" (dict "kind" "secret" "name" .sasl.secret "entries" (dict "password" "kafka/password")) }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
