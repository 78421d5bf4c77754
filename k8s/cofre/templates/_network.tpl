{{/* Pods of a component of ours, in its namespace. Takes root, name. */}}
{{- define "cofre.ourPods" -}}
- namespaceSelector:
    matchLabels:
      kubernetes.io/metadata.name: {{ include "cofre.namespace" . }}
  podSelector:
    matchLabels:
      {{- include "cofre.selectorLabels" . | nindent 6 }}
{{- end -}}

{{- define "cofre.tcp" -}}
- protocol: TCP
  port: {{ . }}
{{- end -}}

{{/* Peers that the deployment names. An empty list would mean everybody, so it is refused. Takes peers, setting. */}}
{{- define "cofre.peers" -}}
{{- if not .peers -}}
{{- fail (printf "%s is empty: name the addresses or pods that are meant, or set networkPolicy.enabled to false" .setting) -}}
{{- end -}}
{{- toYaml .peers -}}
{{- end -}}

{{/* An egress rule. Takes peers, setting, ports (numbers). */}}
{{- define "cofre.toPeers" -}}
- to:
    {{- include "cofre.peers" . | nindent 4 }}
  ports:
    {{- range .ports }}
    {{- include "cofre.tcp" . | nindent 4 }}
    {{- end }}
{{- end -}}

{{- define "cofre.toDns" -}}
- to:
    {{- include "cofre.peers" (dict "peers" .Values.networkPolicy.dns "setting" "networkPolicy.dns") | nindent 4 }}
  ports:
    - protocol: UDP
      port: 53
    - protocol: TCP
      port: 53
{{- end -}}

{{/* Takes root, name, values. */}}
{{- define "cofre.toDatabase" -}}
{{- $setting := printf "services.%s.database.peers (or defaults.database.peers)" .name -}}
{{- include "cofre.toPeers" (dict "peers" .values.database.peers "setting" $setting "ports" (list (int .values.database.port))) -}}
{{- end -}}

{{- define "cofre.toEventLog" -}}
{{- if eq .Values.eventLog.kind "kafka" -}}
{{- $ports := list -}}
{{- range .Values.eventLog.kafka.brokers }}{{ $ports = append $ports (. | splitList ":" | last | int) }}{{ end -}}
{{- include "cofre.toPeers" (dict "peers" .Values.eventLog.kafka.peers "setting" "eventLog.kafka.peers" "ports" ($ports | uniq)) -}}
{{- else -}}
{{- include "cofre.toPeers" (dict "peers" .Values.eventLog.postgres.peers "setting" "eventLog.postgres.peers" "ports" (list (int .Values.eventLog.postgres.port))) -}}
{{- end -}}
{{- end -}}

{{/* The port of an http or https URL. */}}
{{- define "cofre.portOf" -}}
{{- $url := urlParse . -}}
{{- $parts := splitList ":" $url.host -}}
{{- if gt (len $parts) 1 }}{{ last $parts }}{{ else }}{{ ternary "443" "80" (eq $url.scheme "https") }}{{ end -}}
{{- end -}}

{{/* Takes root, partner (its name), urls. */}}
{{- define "cofre.toPartner" -}}
{{- $ports := list -}}
{{- range .urls }}{{ if . }}{{ $ports = append $ports (include "cofre.portOf" . | int) }}{{ end }}{{ end -}}
{{- $partner := index .root.Values.partners .partner -}}
{{- include "cofre.toPeers" (dict "peers" $partner.peers "setting" (printf "partners.%s.peers" .partner) "ports" ($ports | uniq)) -}}
{{- end -}}

{{/* What a service may call beyond our own services. Takes root, name, service. */}}
{{- define "cofre.egressBeyond" -}}
{{- $root := .root -}}
{{- $row := .service.row -}}
{{ include "cofre.toDns" $root }}
{{ include "cofre.toDatabase" (dict "root" $root "name" .name "values" .service.values) }}
{{- if $row.events }}
{{ include "cofre.toEventLog" $root }}
{{- end }}
{{- if and $row.history $root.Values.mongodb.secret }}
{{ include "cofre.toPeers" (dict "peers" $root.Values.mongodb.peers "setting" "mongodb.peers" "ports" (list (int $root.Values.mongodb.port))) }}
{{- end }}
{{- if $root.Values.tracing.endpoint }}
{{ include "cofre.toPeers" (dict "peers" $root.Values.tracing.peers "setting" "tracing.peers" "ports" (list (include "cofre.portOf" $root.Values.tracing.endpoint | int))) }}
{{- end }}
{{- if $row.partners }}
{{- range $name, $partner := $root.Values.partners }}
{{- if $partner.url }}
{{ include "cofre.toPartner" (dict "root" $root "partner" $name "urls" (list $partner.url (dig "oauth" "url" "" $partner))) }}
{{- end }}
{{- end }}
{{- end }}
{{- if and $row.mails $root.Values.mail.from }}
{{ include "cofre.toPeers" (dict "peers" $root.Values.mail.peers "setting" "mail.peers" "ports" (list (int $root.Values.mail.port))) }}
{{- end }}
{{- if $row.receivers }}
- to:
    {{- include "cofre.peers" (dict "peers" $root.Values.receivers.peers "setting" "receivers.peers") | nindent 4 }}
  ports:
    {{- range $root.Values.receivers.ports }}
    {{- include "cofre.tcp" . | nindent 4 }}
    {{- else }}
    - protocol: TCP
    {{- end }}
{{- end }}
{{- end -}}
