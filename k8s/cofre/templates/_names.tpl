{{/* What every object's name begins with. */}}
{{- define "cofre.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The templates below take a dict: root, and name, the component. */}}
{{- define "cofre.name" -}}
{{- printf "%s-%s" (include "cofre.fullname" .root) .name -}}
{{- end -}}

{{/* The service whose image, Secret, certificate and migration a component uses: `gateway` for `gateway-pages`. */}}
{{- define "cofre.serviceOf" -}}
{{- trimSuffix "-pages" .name -}}
{{- end -}}

{{/* The vault lives in a namespace of its own, with all that is only its. */}}
{{- define "cofre.namespace" -}}
{{- if eq (trimSuffix "-migration" .name) "vault" -}}
{{- include "cofre.vaultNamespace" .root -}}
{{- else -}}
{{- .root.Release.Namespace -}}
{{- end -}}
{{- end -}}

{{- define "cofre.vaultNamespace" -}}
{{- $name := default (printf "%s-vault" .Release.Namespace) .Values.vaultNamespace -}}
{{- if eq $name .Release.Namespace -}}
{{- fail "vaultNamespace: the vault needs a namespace of its own, other than the release's" -}}
{{- end -}}
{{- $name -}}
{{- end -}}

{{- define "cofre.selectorLabels" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{- define "cofre.labels" -}}
{{ include "cofre.selectorLabels" . }}
app.kubernetes.io/part-of: cofre
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Of pods: nothing that changes with the chart alone, which would replace them. */}}
{{- define "cofre.podLabels" -}}
{{ include "cofre.selectorLabels" . }}
app.kubernetes.io/part-of: cofre
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
{{- end -}}

{{/* The head of an object's metadata. */}}
{{- define "cofre.metadata" -}}
name: {{ include "cofre.name" . }}
namespace: {{ include "cofre.namespace" . }}
labels:
  {{- include "cofre.labels" . | nindent 2 }}
{{- end -}}

{{/* The name in DNS of a service's gRPC: every ready pod's address. Under the bare name the gateway serves HTTP. */}}
{{- define "cofre.grpcService" -}}
{{- if eq .name "gateway" -}}
{{- include "cofre.name" . }}-admin
{{- else if eq .name "gateway-pages" -}}
{{- include "cofre.name" . }}-pods
{{- else -}}
{{- include "cofre.name" . -}}
{{- end -}}
{{- end -}}

{{/* Which Service answers below which path: the longest path that a request begins with decides. */}}
{{- define "cofre.routes" -}}
{{- $services := include "cofre.services" . | fromYaml -}}
{{- $api := include "cofre.name" (dict "root" . "name" "gateway") -}}
{{- if .Values.gateway.split -}}
{{- $pages := include "cofre.name" (dict "root" . "name" "gateway-pages") -}}
{{- range $path, $half := $services.gateway.row.http }}
{{ $path }}: {{ ternary $pages $api (eq $half "pages") }}
{{- end -}}
{{- else -}}
/: {{ $api }}
{{- end -}}
{{- end -}}

{{- define "cofre.grpcAddress" -}}
{{- printf "%s.%s.svc.%s:50051" (include "cofre.grpcService" .) (include "cofre.namespace" .) .root.Values.clusterDomain -}}
{{- end -}}
