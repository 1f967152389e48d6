{{- define "mayfly.selector" -}}
app.kubernetes.io/name: mayfly
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "mayfly.labels" -}}
{{ include "mayfly.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "mayfly.name" -}}
{{ contains "mayfly" .Release.Name | ternary .Release.Name (printf "%s-mayfly" .Release.Name) | trunc 50 | trimSuffix "-" }}
{{- end }}
