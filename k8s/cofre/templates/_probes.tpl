{{/*
Ready is who serves, whatever becomes of the services behind: a gateway without a notifier still charges. The
kubelet's own gRPC probe speaks no TLS, so the image brings a command that asks grpc.health.v1 with the service's
own certificate. Each asking costs a process: patient probes keep a node that is short of CPU from taking pods away
that serve, which would leave their work to the fewer that remain.
*/}}
{{- define "cofre.probes" -}}
startupProbe:
  {{- include "cofre.probe" . | nindent 2 }}
  periodSeconds: 3
  timeoutSeconds: 15
  failureThreshold: 40
readinessProbe:
  {{- include "cofre.probe" . | nindent 2 }}
  periodSeconds: 15
  timeoutSeconds: 15
  failureThreshold: 3
livenessProbe:
  {{- include "cofre.probe" . | nindent 2 }}
  periodSeconds: 30
  timeoutSeconds: 25
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
