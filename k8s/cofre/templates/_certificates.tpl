{{/*
Who has a certificate. A service is known to the others by the DNS name that is its bare name; the others are those
under which it is called. `localhost` is for its own health check.
*/}}
{{- define "cofre.certificateNames" -}}
{{- $names := list -}}
{{- range $name, $_ := include "cofre.services" . | fromYaml }}{{ $names = append $names (include "cofre.serviceOf" (dict "name" $name)) }}{{ end -}}
{{- $names = $names | uniq | sortAlpha -}}
{{- if .Values.cofrectl.enabled }}{{ $names = append $names "cofrectl" }}{{ end -}}
{{- toYaml $names -}}
{{- end -}}

{{/* Takes root, name. */}}
{{- define "cofre.dnsNames" -}}
{{- $service := include "cofre.grpcService" . -}}
{{- $namespace := include "cofre.namespace" . -}}
- {{ .name }}
- localhost
{{- if ne .name "cofrectl" }}
- {{ $service }}.{{ $namespace }}.svc
- {{ $service }}.{{ $namespace }}.svc.{{ .root.Values.clusterDomain }}
{{- end }}
{{- end -}}

{{/*
Certificates made by the chart: `ca`, and for each name `cert`, `key`, `renewAfter`. What the cluster keeps is used
again until its names, its authority or `renewal` change, or its last weeks begin. Made once in a rendering, since a
second making would differ.
*/}}
{{- define "cofre.makeCertificates" -}}
{{- if not (hasKey .Values "madeCertificates") -}}
{{- $root := . -}}
{{- $generated := .Values.certificates.generated -}}
{{- $authorityName := printf "%s-authority" (include "cofre.fullname" .) -}}
{{- $kept := lookup "v1" "Secret" (include "cofre.vaultNamespace" .) $authorityName -}}
{{- $ca := dict -}}
{{- if $kept -}}
{{- $ca = buildCustomCert (index $kept.data "ca.crt") (index $kept.data "ca.key") -}}
{{- else -}}
{{- $ca = genCAWithKey (printf "%s authority" (include "cofre.fullname" .)) 3650 (genPrivateKey "ecdsa") -}}
{{- end -}}
{{- $made := dict -}}
{{- range $name := include "cofre.certificateNames" . | fromYamlArray -}}
{{- $it := dict "root" $root "name" $name -}}
{{- $hosts := include "cofre.dnsNames" $it | fromYamlArray -}}
{{- $mark := printf "%s %s %s" (toJson $hosts) $ca.Cert (toString $generated.renewal) | sha256sum -}}
{{- $pair := dict -}}
{{- $old := lookup "v1" "Secret" (include "cofre.namespace" $it) (printf "%s-tls" (include "cofre.name" $it)) -}}
{{- if $old -}}
{{- $notes := default dict $old.metadata.annotations -}}
{{- $renewAfter := default "0" (index $notes "cofre/renew-after") -}}
{{- if and (eq (default "" (index $notes "cofre/mark")) $mark) (lt (now | unixEpoch | int64) ($renewAfter | int64)) -}}
{{- $pair = dict "cert" (index $old.data "tls.crt" | b64dec) "key" (index $old.data "tls.key" | b64dec) "renewAfter" $renewAfter -}}
{{- end -}}
{{- end -}}
{{- if not $pair -}}
{{- $days := int $generated.days -}}
{{- $new := genSignedCertWithKey $name (list "127.0.0.1") $hosts $days $ca (genPrivateKey "ecdsa") -}}
{{- $renewAfter := add (now | unixEpoch) (mul (sub $days (int $generated.renewBeforeDays)) 86400) -}}
{{- $pair = dict "cert" $new.Cert "key" $new.Key "renewAfter" (toString $renewAfter) -}}
{{- end -}}
{{- $_ := set $made $name (merge (dict "mark" $mark) $pair) -}}
{{- end -}}
{{- $_ := set .Values "madeCertificates" (dict "ca" (dict "cert" $ca.Cert "key" $ca.Key) "pairs" $made) -}}
{{- end -}}
{{- end -}}

{{/* What every service trusts: its authority, and others while one replaces the other. */}}
{{- define "cofre.trusted" -}}
{{ trim .Values.madeCertificates.ca.cert }}
{{ with .Values.certificates.generated.alsoTrusted }}{{ trim . }}
{{ end }}
{{- end -}}

{{/* Changes with what the pods read. cert-manager's and existing certificates are not seen from here. Takes root, name. */}}
{{- define "cofre.certificateChecksum" -}}
{{- if eq .root.Values.certificates.mode "generated" -}}
{{- include "cofre.makeCertificates" .root -}}
{{- printf "%s%s" (index .root.Values.madeCertificates.pairs (include "cofre.serviceOf" .)).cert (include "cofre.trusted" .root) | sha256sum -}}
{{- else -}}
{{- $it := dict "root" .root "name" (include "cofre.serviceOf" .) -}}
{{- printf "%s %s" .root.Values.certificates.mode (include "cofre.dnsNames" $it) | sha256sum -}}
{{- end -}}
{{- end -}}
