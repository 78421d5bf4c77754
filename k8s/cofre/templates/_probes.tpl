{{/*
Ready is who serves, whatever becomes of the services behind: a gateway without a notifier still charges. The
kubelet's own gRPC probe speaks no TLS, so the image brings a command that asks grpc.health.v1 with the service's
own certificate.
*/}}
{{- define "cofre.probes" -}}
startupProbe:
  {{- include "cofre.probe" . | nindent 2 }}
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 60
readinessProbe:
  {{- include "cofre.probe" . | nindent 2 }}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 2
livenessProbe:
  {{- include "cofre.probe" . | nindent 2 }}
  periodSeconds: 20
  timeoutSeconds: 10
  failureThreshold: 6
{{- end -}}

{{- define "cofre.probe" -}}
{{- if .row.http -}}
httpGet:
  path: /healthz
  port: http
{{- else -}}
exec:
  command: [/app/bin/health]
{{- end -}}
{{- end -}}
